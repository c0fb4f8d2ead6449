"""A typed client of ``bygone serve``.

>>> from bygone_client import Client
>>> with Client("http://127.0.0.1:7461") as client:
...     answer = client.ask("Where does Anna live?", valid="2024-03")
"""

from . import client, errors, rows, times
from .client import *
from .errors import *
from .request import Reply
from .rows import *
from .times import *

__all__ = ["Reply"]
__all__ += client.__all__
__all__ += errors.__all__
__all__ += rows.__all__
__all__ += times.__all__
