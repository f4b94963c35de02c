// Whether one picture looks as another one does. Knows no page, so that it can be tested without one.

import type { Picture } from '../picture/protocol';

/**
 * Whether all is drawn alike, wherever in the texts it stands: a comment moves what is below it, and so does a line that is
 * added, after whose number a place may be named.
 */
export function looksLike(one: Picture, other: Picture): boolean {
    return looks(one) === looks(other);
}

/** How it looks: equal for pictures that look like each other. */
export function looks({ kind, title, property, variables, nodes, edges }: Picture): string {
    const all = JSON.stringify([kind, title, property, variables, nodes, edges], (key, value: unknown) => (key === 'place' ? undefined : value));
    return all.replace(/\bline \d+/g, 'line');
}
