// The rows of a table of how many states are so many steps from the start. Nothing here knows the page.

import { grouped } from '../explorer/numbers';
import type { Picture } from '../picture/protocol';

/** So many rows are shown; of more, several are one. */
const MOST_ROWS = 120;

export interface Row {
    /** How many steps: "7", or of several levels "14–15". */
    readonly steps: string;
    readonly states: number;
    /** How many these are, in words. */
    readonly count: string;
    /** Whether the run that is shown ends here. */
    readonly hasViolation: boolean;
}

export function rowsOf(picture: Picture): Row[] {
    const { levels, complete } = picture;
    const together = Math.ceil(levels.length / MOST_ROWS);
    const rows: Row[] = [];
    for (let from = 0; from < levels.length; from += together) {
        const some = levels.slice(from, from + together);
        const to = from + some.length - 1;
        const states = some.reduce((sum, level) => sum + level.states, 0);
        const isOpen = !complete && to === levels.length - 1;
        rows.push({
            steps: from === to ? String(from) : `${from}–${to}`,
            states,
            count: `${grouped(states)}${isOpen ? ' or more' : ''}`,
            hasViolation: some.some(level => level.marks?.includes('violation')),
        });
    }
    return rows;
}
