"""The paper, read top to bottom: model, ICM inference, exact enumeration, hard EM."""
