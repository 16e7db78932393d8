from .modules import Module  # noqa: F401
