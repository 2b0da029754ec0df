"""Files, and the tables that Python and JavaScript share: colours and sizes, terms and equations."""
