// Whether the text of a tester file is one of ours: other programs have files whose names end in .tester, too.
// Nothing here knows the editor.

/** No more of a text is looked at, in characters. */
export const LOOKED_AT = 64 * 1024;

const USE = /use\s+"[^"\n]*\.(?:stb|tester)"/;
/** A name and its parameters, in whose ranges a definition may be called. */
const NAME = /[A-Za-z_]\w*\s*(?:\((?:[^()]|\([^()]*\))*\)\s*)?/;

/** What nobody else's text begins with. */
const OURS = begins(
    USE,
    // With what stands in them, since a program may well have a `tester x {` of its own.
    new RegExp(
        `(?:tester|specification|buchi|testing)\\s+${NAME.source}\\{\\s*` +
            '(?://|/\\*|(?:observe|visible|var|macro|state|initial|reject|deadlock|livelock|infinite)\\b)',
    ),
    new RegExp(`(?:invariant|ltl)\\s+${NAME.source}:`),
    new RegExp(`progress\\s+${NAME.source}:\\s*(?:may|must)\\b`),
    new RegExp(`recurrence\\s+${NAME.source}:\\s*infinitely\\b`),
    /refines\s+[A-Za-z_]\w*\s+in\s+(?:traces|failures|divergences|infinite\s+traces|cffd)\b/,
    /expect\s+violated\s*:/,
);

/** What one of ours may begin with, too, and others as well; also what stands in a tester file by mistake. */
const MAYBE_OURS = begins(
    /(?:const|param|type|enum|var|channel|action|def|macro|process|reachable|fair|strongly|deadlock|termination)\b/,
);

/** Such a line makes a text ours that may be: without a model a tester file says nothing. */
const USES = new RegExp(`^[ \\t]*${USE.source}`, 'm');

function begins(...forms: RegExp[]): RegExp {
    return new RegExp(forms.map(form => `(?:${form.source})`).join('|'), 'y');
}

/** Whether the first thing in the text of a tester file that is no comment is one of ours. An empty text is nobody's. */
export function looksLikeOurs(text: string): boolean {
    const rest = withoutComments(text.slice(0, LOOKED_AT));
    OURS.lastIndex = MAYBE_OURS.lastIndex = 0;
    return OURS.test(rest) || (MAYBE_OURS.test(rest) && USES.test(rest));
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
            return text.slice(at);
        }
    }
}
