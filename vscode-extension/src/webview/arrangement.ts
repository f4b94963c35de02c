// Whether steps and values fit beside each other, and how much of a row the chart may have. Knows no page, so that it can
// be tested without one.

/** What a row of the steps has besides its chart and its texts: the number, the gaps, the edges, and a scroll bar. */
const AROUND = 104;
/** The statement and the changes of a step, in letters: so that they are read with ease, and so that they are read at all. */
const GOOD_TEXTS = 56;
const LEAST_TEXTS = 34;
/** The values beside the steps, in pixels. */
const LEAST_VALUES = 260;

export interface Arrangement {
    /** Whether the values are below the steps. */
    readonly isStacked: boolean;
    /** What the chart may have, in pixels. */
    readonly room: number;
    /** What the steps have to have beside the values, in pixels. */
    readonly steps: number;
}

/** For a page so wide, with letters so wide, and a chart that would be so wide. */
export function arrange(width: number, letter: number, chart: number): Arrangement {
    const steps = chart + AROUND + GOOD_TEXTS * letter;
    if (width >= steps + LEAST_VALUES) {
        return { isStacked: false, room: chart, steps };
    }
    return { isStacked: true, room: Math.max(0, width - AROUND - LEAST_TEXTS * letter), steps: 0 };
}
