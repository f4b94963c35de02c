// The panel's page: it loads its own script and style and nothing else.

export interface Parts {
    readonly nonce: string;
    /** What the editor serves the extension's files from. */
    readonly source: string;
    readonly script: string;
    readonly style: string;
}

/** A page with this title and body, under a policy that lets it load its own script and style alone. */
export function framed({ nonce, source, script, style }: Parts, title: string, body: string): string {
    // Rows are put in their places by styles that a script sets, which the policy does not forbid; no style stands in the
    // page itself.
    const policy = `default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'`;
    return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>${title}</title>
</head>
<body>
${body}<script nonce="${nonce}" src="${script}"></script>
</body>
</html>`;
}

export function html(parts: Parts): string {
    return framed(parts, 'Trace', `<header>
<h1><span id="property">Looking for the trace…</span> <span id="verdict"></span> <span id="file" class="file"></span></h1>
<p id="sentence"></p>
<details id="waits" hidden><summary id="waits-told"></summary><ul id="waits-list"></ul></details>
<p id="outdated" role="status" hidden></p>
<p id="piece" hidden><span id="piece-told"></span>
<button id="piece-first">The first</button><button id="piece-back">Those before</button><button id="piece-on">Those behind</button><button id="piece-last">The last</button></p>
</header>
<div class="bar" role="toolbar" aria-label="Steps">
<span class="group">
<button id="first" title="To the start (Home)" aria-label="To the start">${icon('M3 3h2v10H3z M13 3v10L6 8z')}</button>
<button id="back" title="One step back (↑ or k)" aria-label="One step back">${icon('M11 3v10L4 8z')}</button>
<button id="forward" title="One step on (↓ or j)" aria-label="One step on">${icon('M5 3v10l7-5z')}</button>
<button id="last" title="To the end (End)" aria-label="To the end">${icon('M11 3h2v10h-2z M3 3v10l7-5z')}</button>
</span>
<span id="where"></span>
<span class="group"><input type="text" id="filter" size="26" placeholder="Filter by process or variable ( / )" aria-label="Filter the steps by process or variable" spellcheck="false"></span>
<span id="filtered" class="quiet" role="status"></span>
<span class="spread"></span>
<button id="states" title="Show the trace among all states of the model">State graph</button>
<span class="group" role="group" aria-label="Copy the trace"><span class="quiet label">Copy as</span>
<button id="copy-text" aria-label="Copy as text">Text</button>
<button id="copy-json" aria-label="Copy as JSON">JSON</button>
<button id="copy-mermaid" aria-label="Copy as Mermaid">Mermaid</button>
<button id="copy-svg" aria-label="Copy as SVG">SVG</button>
</span>
</div>
<main id="main">
<div id="steps" role="grid" tabindex="0" aria-label="Steps of the trace" aria-readonly="true">
<div id="names" role="presentation"></div>
<div id="step-rows" role="rowgroup"></div>
</div>
<aside>
<h2 id="values-title">Values after the step</h2>
<div class="tools"><input type="text" id="variable-filter" placeholder="Filter variables" aria-label="Filter the variables" spellcheck="false">
<label><input type="checkbox" id="only-changed"> Only changed</label></div>
<div id="values" role="table" tabindex="0" aria-labelledby="values-title"><p id="no-values" class="quiet" hidden>None of the values.</p><div id="value-rows" role="rowgroup"></div></div>
<section id="watching" aria-label="Expressions">
<h2>Expressions</h2>
<div class="tools"><input type="text" id="watch" placeholder="Expression, then Enter" title="Any expression of the model" aria-label="Add any expression of the model" spellcheck="false"></div>
<div id="watches"></div>
</section>
</aside>
</main>
<div id="told" class="unseen" role="status" aria-live="polite"></div>
`);
}

/** A picture of 16 by 16 in the colour of the text. */
function icon(path: string): string {
    return `<svg class="icon" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><path d="${path}"/></svg>`;
}
