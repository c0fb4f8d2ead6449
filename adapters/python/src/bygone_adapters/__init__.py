"""Bygone behind the interfaces that agents' frameworks speak.

Each adapter is a module of its own, so that none needs the framework of another:

- :mod:`bygone_adapters.session_store`: the Claude Agent SDK's ``SessionStore``
- :mod:`bygone_adapters.saver`: LangGraph's checkpointer
- :mod:`bygone_adapters.store`: LangGraph's ``BaseStore``
- :mod:`bygone_adapters.memory_tool`: the memory tool of Anthropic's API
"""

from .connection import BygoneError, Connection

__all__ = ["BygoneError", "Connection"]
