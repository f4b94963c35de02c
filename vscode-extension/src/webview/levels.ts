// The rows of a table of how many states are so many steps from the start. Nothing here knows the page.

import { grouped } from '../explorer/numbers';
import type { Picture, Search } from '../picture/protocol';

/** So many rows are shown; of more, several are one. */
const MOST_ROWS = 120;

export interface Row {
    /** How many steps: "7", or of several levels "14–15". */
    readonly steps: string;
    readonly states: number;
    /** How many these are, in words; nothing where nobody has counted them. */
    readonly count: string;
    /** How many of them each search for properties has found; nothing where it has come to none. */
    readonly searched: readonly string[];
    /** Whether the run that is shown ends here. */
    readonly hasViolation: boolean;
}

export function rowsOf(picture: Picture): Row[] {
    const { levels, searches, complete } = picture;
    const deepest = Math.max(levels.length, ...searches.map(search => search.levels.length));
    const together = Math.ceil(deepest / MOST_ROWS);
    const rows: Row[] = [];
    for (let from = 0; from < deepest; from += together) {
        const to = Math.min(from + together, deepest) - 1;
        const some = levels.slice(from, to + 1);
        const states = sum(some.map(level => level.states));
        const isOpen = !complete && to >= levels.length - 1;
        rows.push({
            steps: from === to ? String(from) : `${from}–${to}`,
            states,
            count: isOpen && some.length === 0 ? '' : `${grouped(states)}${isOpen ? ' or more' : ''}`,
            searched: searches.map(search => (from < search.levels.length ? grouped(sum(search.levels.slice(from, to + 1))) : '')),
            hasViolation: some.some(level => level.marks?.includes('violation')),
        });
    }
    return rows;
}

/** What a search is called over its column. */
export function nameOf({ properties }: Search): string {
    const [first = '', ...others] = properties;
    return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function sum(numbers: readonly number[]): number {
    return numbers.reduce((all, one) => all + one, 0);
}
