"""The paper's model, of one layer or several: ICM inference, exact enumeration, hard EM."""
