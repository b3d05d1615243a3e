"""Broken links of a folder of HTML pages: files and anchors that are not there, and anything fetched from a network."""

import html.parser
import pathlib
import re
import urllib.parse


class _Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.resources, self.anchors = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if values.get("id"):
            self.anchors.add(values["id"])
        if tag == "a" and values.get("name"):
            self.anchors.add(values["name"])
        if tag == "a" and values.get("href"):
            self.links.append(values["href"])
        if tag in ("script", "img", "iframe", "source") and values.get("src"):
            self.resources.append(values["src"])
        if tag == "link" and values.get("href") and values.get("rel") not in ("canonical", "edit"):
            self.resources.append(values["href"])


def _is_remote(target):
    return bool(re.match(r"(https?:)?//", target))


def faults_of(site):
    site = pathlib.Path(site)
    pages = {path: _Page(path) for path in site.rglob("*.html")}
    faults = []
    for path, page in pages.items():
        name = path.relative_to(site)
        faults += [f"{name}: fetches {each} from a network" for each in page.resources if _is_remote(each)]
        for target in page.links + page.resources:
            parts = urllib.parse.urlsplit(target)
            if parts.scheme or _is_remote(target):
                continue
            file = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            # The page for wrong addresses has absolute links for a server.
            if path.name == "404.html" and parts.path.startswith("/"):
                continue
            if file.is_dir():
                file = file / "index.html"
            if not file.exists():
                faults.append(f"{name}: {target} does not exist")
            elif parts.fragment and file in pages and urllib.parse.unquote(parts.fragment) not in pages[file].anchors:
                faults.append(f"{name}: {target} has no such anchor")
    for path in site.rglob("*.css"):
        for target in re.findall(r"url\(['\"]?((?:https?:)?//[^'\")]+)", path.read_text(encoding="utf-8")):
            faults.append(f"{path.relative_to(site)}: fetches {target} from a network")
    return sorted(set(faults))
