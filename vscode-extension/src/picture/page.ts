// The page of a picture: it loads its own script and style and nothing else.

import { framed, type Parts } from '../panel/page';

export function html(parts: Parts): string {
    return framed(parts, 'State graph', `<header>
<h1><span id="title">Drawing…</span> <span id="file" class="file"></span></h1>
<p id="sentence"></p>
<p id="note" role="status" hidden></p>
</header>
<div class="bar" role="toolbar" aria-label="Picture">
<label>Of <select id="what" aria-label="What is drawn"></select></label>
<span id="size" class="group" role="group" aria-label="Size">
<button id="smaller" title="Smaller ( - )" aria-label="Smaller">−</button>
<button id="fit" title="All of it ( 0 )" aria-label="All of it">Fit</button>
<button id="larger" title="Larger ( + )" aria-label="Larger">+</button>
</span>
<span class="spread"></span>
<span id="copy" class="group" role="group" aria-label="Copy the picture"><span class="quiet label">Copy as</span>
<button id="copy-dot" aria-label="Copy as DOT">DOT</button>
<button id="copy-svg" aria-label="Copy as SVG">SVG</button>
</span>
</div>
<main>
<div id="canvas" tabindex="0" role="application" aria-label="State graph: arrow keys go along the steps, Enter shows the text"></div>
<aside id="details" aria-live="polite" hidden><h2 id="details-title"></h2><dl id="details-values"></dl><h3 id="details-steps-title"></h3><ul id="details-steps"></ul></aside>
<section id="growth" hidden>
<h2>States by how many steps from the start</h2>
<ul id="searches"></ul>
<table id="levels"><thead></thead><tbody></tbody></table>
<h2>Statements that led to most of them first</h2>
<table id="statements"><thead><tr><th scope="col">States</th><th scope="col">Statement</th></tr></thead><tbody></tbody></table>
</section>
</main>
`);
}
