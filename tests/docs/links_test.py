#!/usr/bin/python3
"""The checker of links finds what it is there for."""

import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "site"))
import links  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    site = pathlib.Path(folder)
    (site / "sub").mkdir()
    (site / "index.html").write_text('''<html><head><link rel="stylesheet" href="//cdn.example.org/x.css"></head><body>
<h1 id="top">x</h1><a href="#top">good</a><a href="#low">bad</a><a href="sub/page.html#here">good</a>
<a href="sub/page.html#there">bad</a><a href="gone.html">bad</a><a href="https://example.org">not ours</a>
<img src="gone.png"><script src="https://cdn.example.org/x.js"></script></body></html>''', encoding="utf-8")
    (site / "sub/page.html").write_text('<p id="here"><a href="../index.html">good</a></p>', encoding="utf-8")
    (site / "style.css").write_text("@import url(https://fonts.example.org/f.css);", encoding="utf-8")
    found = links.faults_of(site)

expected = ["index.html: #low has no such anchor",
            "index.html: fetches //cdn.example.org/x.css from a network",
            "index.html: fetches https://cdn.example.org/x.js from a network",
            "index.html: gone.html does not exist",
            "index.html: gone.png does not exist",
            "index.html: sub/page.html#there has no such anchor",
            "style.css: fetches https://fonts.example.org/f.css from a network"]
if found != expected:
    sys.exit("found:\n" + "\n".join(found))
