"""The explorer: the trade-off, the portfolio and every variant in a browser, served or as a folder.

Python reads the store and answers with plain pages of columns and text (`pages`). The browser keeps what is
asked for in its address and draws (`js/`). A server answers each question when it is asked (`server`); a
folder has the answers as data (`written`).
"""
