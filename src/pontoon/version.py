"""The version of the package, separate from the front door so that every layer can print it."""

__version__ = "0.2.0"
