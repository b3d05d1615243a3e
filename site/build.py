#!/usr/bin/python3
"""Builds the manual: build.py PROGRAM SITE_FOLDER. PROGRAM is the built lithe; the site opens from disk, without a network.

Any warning of mkdocs and any broken link or anchor is an error (exit code 1).
"""

import fnmatch
import json
import pathlib
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path.insert(0, str(HERE))
import links  # noqa: E402
import reference  # noqa: E402

KATEX = pathlib.Path("/usr/share/javascript/katex")
# Pages outside docs, and where they go in the site.
OUTSIDE = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}


def in_the_site(text, page):
    """The text of a page (named relative to docs) with its links to the rest of the repository changed: to pages of the site
    where there are such, to plain text otherwise. The README has no page of its own; the first one takes its place."""
    up = "../" * page.as_posix().count("/")
    there = dict(OUTSIDE, **{"examples": "examples.md", "examples/README.md": "examples.md", "README.md": "index.md"})

    def changed(found):
        label, target, anchor = found.group(1), found.group(2), found.group(3) or ""
        if "://" in target or not target.startswith(".."):
            return found.group(0)
        file = posixpath.normpath(posixpath.join("docs", page.parent.as_posix(), target))
        if file.startswith("docs/"):
            return found.group(0)
        if not (ROOT / file).exists():
            sys.exit(f"site: {page}: the link {target} leads nowhere")
        return f"[{label}]({up}{there[file]}{anchor})" if file in there else label

    return re.sub(r"(?<!!)\[([^\]]*)\]\(([^)#\s]+)(#[^)]*)?\)", changed, text)


def gather(staging, program):
    shutil.copytree(ROOT / "docs", staging)
    for name, page in OUTSIDE.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        (staging / page).write_text(re.sub(r"\]\(docs/", "](", text), encoding="utf-8")
    for path in staging.rglob("*.md"):
        page = path.relative_to(staging)
        path.write_text(in_the_site(path.read_text(encoding="utf-8"), page), encoding="utf-8")
    (staging / "reference").mkdir(exist_ok=True)
    (staging / "reference/keys.md").write_text(reference.keys_page(program), encoding="utf-8")
    (staging / "reference/commands.md").write_text(reference.commands_page(program), encoding="utf-8")
    (staging / "examples.md").write_text(reference.examples_page(ROOT / "examples"), encoding="utf-8")
    assets = staging / "assets"
    (assets / "katex").mkdir(parents=True)
    for name in ("katex.min.css", "katex.min.js", "contrib/auto-render.js"):
        shutil.copy(KATEX / name, assets / "katex")
    shutil.copytree((KATEX / "fonts").resolve(), assets / "katex/fonts")
    for name in ("site.css", "math.js"):
        shutil.copy(HERE / name, assets)


def title_of(page):
    found = re.search(r"^# (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return found.group(1).replace("`", "") if found else page.stem


def expand(nav, staging):
    """The menu with its patterns filled in, and the pages that it names."""
    pages = {str(p.relative_to(staging)) for p in staging.rglob("*.md")}
    named = set()

    def mentioned(entries):
        for entry in entries:
            value = next(iter(entry.values())) if isinstance(entry, dict) else entry
            if isinstance(value, list):
                mentioned(value)
            elif "*" not in value:
                named.add(value)

    def filled(entries):
        result = []
        for entry in entries:
            title, value = next(iter(entry.items())) if isinstance(entry, dict) else (None, entry)
            if isinstance(value, list):
                inner = filled(value)
                if inner:
                    result.append({title: inner})
            elif "*" in value:
                for page in sorted(fnmatch.filter(pages - named, value)):
                    named.add(page)
                    result.append({title_of(staging / page): page})
            else:
                result.append({title: value})
        return result

    mentioned(nav)
    return filled(nav), pages - named


def make_searchable(site):
    """Index and worker of the search as one script: a page from disk may neither fetch a file nor start a worker from one."""
    index = (site / "search/search_index.json").read_text(encoding="utf-8")
    worker = next((site / "assets/javascripts/workers").glob("search.*.js")).read_text(encoding="utf-8")
    (site / "assets/search.js").write_text(
        "// The theme asks for these two names before it looks for files.\n"
        f"var __search = {{index: Promise.resolve({index}),\n"
        f"  worker: URL.createObjectURL(new Blob([{json.dumps(worker)}], {{type: 'text/javascript'}}))}};\n", encoding="utf-8")


def main():
    program, site = str(pathlib.Path(sys.argv[1]).resolve()), pathlib.Path(sys.argv[2]).resolve()
    if not KATEX.is_dir():
        sys.exit("site: KaTeX is missing; install the Debian package libjs-katex")
    with tempfile.TemporaryDirectory() as scratch:
        staging = pathlib.Path(scratch) / "pages"
        gather(staging, program)
        config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
        config["nav"], lost = expand(config["nav"], staging)
        if lost:
            sys.exit(f"site: pages that no menu of mkdocs.yml names: {', '.join(sorted(lost))}")
        config["theme"]["custom_dir"] = str(ROOT / config["theme"]["custom_dir"])
        config["docs_dir"], config["site_dir"] = str(staging), str(site)
        (pathlib.Path(scratch) / "mkdocs.yml").write_text(yaml.safe_dump(config), encoding="utf-8")
        run = subprocess.run(["/usr/bin/python3", "-m", "mkdocs", "build", "--strict", "--clean", "--quiet", "-f",
                              str(pathlib.Path(scratch) / "mkdocs.yml")], capture_output=True, text=True)
    messages = "\n".join(line for line in (run.stdout + run.stderr).splitlines() if line.strip())
    if run.returncode != 0 or "WARNING" in messages:
        sys.exit(f"site: mkdocs says:\n{messages}")
    for name in ("sitemap.xml", "sitemap.xml.gz"):  # of use on a server only
        (site / name).unlink(missing_ok=True)
    make_searchable(site)
    faults = links.faults_of(site)
    if faults:
        sys.exit("site: broken links:\n" + "\n".join(faults))
    print(f"open {site / 'index.html'}")


if __name__ == "__main__":
    main()
