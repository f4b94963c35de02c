// Where the name of a property stands, and what it is, while its text is edited. Knows no editor, so that it can be
// tested without one.

import type { Position, Range, Trace } from './protocol';

export interface Name {
    readonly text: string;
    /** Within a line. */
    readonly start: Position;
}

export interface Change {
    readonly range: Range;
    readonly text: string;
}

/** The name of the property that a trace is of; what every model is asked has none in the text. */
export function nameOf({ kind, property, location: { range } }: Trace): Name | undefined {
    const text = withoutParameters(property);
    const isName = kind !== property && range.start.line === range.end.line && range.end.character - range.start.character === text.length;
    return isName ? { text, start: range.start } : undefined;
}

/** The same after these changes, of which none touches another; nothing where what stands there is no name any more. */
export function followed(name: Name, changes: readonly Change[]): Name | undefined {
    let { text, start } = name;
    // From the end on, so that each leaves in place what those that are left are about.
    const all = [...changes].sort((one, other) => compare(other.range.start, one.range.start));
    for (const change of all) {
        const end = { line: start.line, character: start.character + text.length };
        const [from, to] = [change.range.start, change.range.end];
        if (compare(from, end) > 0) {
            continue;
        }
        if (compare(from, start) >= 0 && compare(to, end) <= 0) {
            text = text.slice(0, from.character - start.character) + change.text + text.slice(to.character - start.character);
        } else if (compare(to, start) <= 0) {
            start = moved(start, change);
        } else {
            return undefined;
        }
    }
    return /^\w*$/.test(text) ? { text, start } : undefined;
}

/** A property of another name, with the values of its parameters as they were. */
export function renamed(property: string, { text }: Name): string {
    return text + property.slice(withoutParameters(property).length);
}

function withoutParameters(property: string): string {
    const at = property.indexOf('(');
    return at < 0 ? property : property.slice(0, at);
}

/** Where a place comes to be by a change before it. */
function moved(place: Position, { range, text }: Change): Position {
    const lines = text.split('\n');
    const last = (lines.at(-1) ?? '').length;
    const end = { line: range.start.line + lines.length - 1, character: lines.length === 1 ? range.start.character + last : last };
    return place.line === range.end.line
        ? { line: end.line, character: end.character + place.character - range.end.character }
        : { line: place.line + end.line - range.end.line, character: place.character };
}

function compare(one: Position, other: Position): number {
    return one.line - other.line || one.character - other.character;
}
