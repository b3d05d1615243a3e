#pragma once
// The look of the gallery page: light and dark, no font from elsewhere.

namespace lithe::cli {

inline constexpr const char* gallery_style = R"(
:root { --ink: #1c2530; --soft: #5b6876; --paper: #f6f7f9; --card: #ffffff; --line: #dfe4ea; --accent: #0b6e99;
  --c0: #0b6e99; --c1: #d9662b; --c2: #3b8f4a; --c3: #a23b8f; --c4: #b08900; --c5: #5a5fd0; --c6: #c43d4b; --c7: #4a8f8f;
  --s0: #7d8fa1; --s1: #a9b5c0; --s2: #5d6e7f; --loose: #b48a4e; --housing: #8a5a43; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf0; --soft: #9aa7b4; --paper: #12171d; --card: #1a2129; --line: #2c3641; --accent: #5cc0ea;
    --c0: #5cc0ea; --c1: #f0935e; --c2: #74c985; --c3: #d884c8; --c4: #dcb944; --c5: #9b9ff5; --c6: #f0808c; --c7: #7fc7c7;
    --s0: #8496a8; --s1: #5f7081; --s2: #a9b7c4; --loose: #c8a064; --housing: #b5806a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 1280px; margin: 0 auto; padding: 32px 24px 64px; }
h1 { font-size: 28px; margin: 0 0 4px; } h2 { font-size: 21px; margin: 0 0 2px; } h3 { font-size: 17px; margin: 12px 0 2px; }
[hidden] { display: none !important; }
#filter { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 7px 12px; width: min(100%, 360px); margin: 10px 0 4px; }
.group { margin-top: 26px; }
p { margin: 6px 0; } .soft { color: var(--soft); } a { color: var(--accent); text-decoration: none; } a:hover { text-decoration: underline; }
.scroll { overflow-x: auto; }
table.summary { border-collapse: collapse; width: 100%; margin: 20px 0 28px; font-size: 14px; }
.summary th { text-align: left; color: var(--soft); font-weight: 500; }
.summary th, .summary td { padding: 5px 10px; border-bottom: 1px solid var(--line); white-space: nowrap; }
.summary td:first-child { white-space: normal; min-width: 130px; }
.summary .n { text-align: right; font-variant-numeric: tabular-nums; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 300px), 1fr)); gap: 20px; margin: 12px 0 20px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; display: flex;
  flex-direction: column; }
.card .soft { font-size: 13.5px; flex: 1; }
.card .about { flex: none; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 5; overflow: hidden; margin-bottom: auto; }
.card dl { display: grid; grid-template-columns: repeat(3, 1fr); gap: 6px 10px; margin: 10px 0; }
dt { font-size: 11.5px; color: var(--soft); } dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums; }
.links { display: flex; flex-wrap: wrap; gap: 6px 14px; align-items: center; font-size: 13px; }
.open { background: var(--accent); color: var(--card); padding: 5px 12px; border-radius: 6px; font-weight: 600; }
a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 6px; }
svg { width: 100%; height: auto; display: block; }
.figure { border: 1px solid var(--line); border-radius: 8px; }
.bar { fill: none; stroke: var(--ink); stroke-width: 4; stroke-linecap: round; stroke-opacity: .8; }
.elastic { stroke: var(--c0); stroke-opacity: 1; stroke-linejoin: round; } .thin { stroke-width: 1.6; }
.bending { font: 600 12px system-ui, sans-serif; fill: var(--c0); }
.plate { fill: var(--c0); fill-opacity: .18; stroke: var(--c0); stroke-width: 2.5; stroke-linejoin: round; }
.solid { stroke: var(--ink); stroke-opacity: .55; stroke-width: .8; stroke-linejoin: round; }
.s0 { fill: var(--s0); } .s1 { fill: var(--s1); } .s2 { fill: var(--s2); } .loose { fill: var(--loose); } .motor { fill: var(--c1); stroke: none; } .motor rect { fill: var(--housing); }
.slide { fill: none; stroke: var(--c1); stroke-width: 3; stroke-linecap: round; stroke-opacity: .75; }
.trail { fill: none; stroke: var(--c6); stroke-width: 1.3; stroke-dasharray: 3 3; }
.pivot { fill: var(--card); stroke: var(--ink); stroke-width: 2; }
.stopped { color: var(--c1); }
code { font: 13px ui-monospace, monospace; background: var(--paper); padding: 1px 5px; border-radius: 4px; }
)";

}  // namespace lithe::cli
