// Whether a text is one of ours: other programs have files whose names end in .tester, too. Nothing here
// knows the editor.

const ITEM = new RegExp(
    [
        /use\s+"[^"\n]*\.(?:stb|tester)"/,
        /(?:tester|process|specification|buchi|testing)\s+[A-Za-z_]\w*\s*(?:\([^)]*\)\s*)?\{/,
        /(?:const|param|type|var|channel|action|invariant|reachable|progress|recurrence|ltl)\s+[A-Za-z_]\w*\s*[:=,([\n]/,
        /enum\s+[A-Za-z_]\w*\s*\{/,
        /(?:automaton|strongly fair|fair)\s+[A-Za-z_]\w*\s*[:{(]/,
    ]
        .map(form => `(?:${form.source})`)
        .join('|'),
    'y',
);

/** Whether the first thing in a text that is no comment is one of ours. An empty text is nobody's. */
export function looksLikeOurs(text: string): boolean {
    ITEM.lastIndex = 0;
    return ITEM.test(withoutComments(text));
}

/** What stands behind white space and comments at the beginning. */
function withoutComments(text: string): string {
    let at = 0;
    for (;;) {
        const rest = /\s*/y;
        rest.lastIndex = at;
        rest.exec(text);
        at = rest.lastIndex;
        if (text.startsWith('//', at)) {
            const end = text.indexOf('\n', at);
            at = end < 0 ? text.length : end + 1;
        } else if (text.startsWith('/*', at)) {
            const end = text.indexOf('*/', at + 2);
            at = end < 0 ? text.length : end + 2;
        } else {
            // No more than its first items can say is looked at.
            return text.slice(at, at + 1000);
        }
    }
}
