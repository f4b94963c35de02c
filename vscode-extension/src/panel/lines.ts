// Which steps of a trace stand on which lines. Knows no editor, so that it can be tested without one.

import type { Range, Trace } from './protocol';

/** So many numbers and values stand at the end of a line. */
const MOST_NUMBERS = 6;
const MOST_VALUES = 3;

/** Where the step that leads to a state has its statement, of the first who takes it. */
export function placeOfStep(trace: Trace, step: number): { file: number; range: Range } | undefined {
    const part = trace.steps[step - trace.from - 1]?.by[0];
    const statement = part === undefined ? undefined : trace.statements[part.statement];
    return statement === undefined || statement.file === null ? undefined : { file: statement.file, range: statement.range };
}

/** The steps that are taken on a line, counted from 0, by the numbers of the steps. */
export function stepsOfLine(trace: Trace, file: number, line: number): number[] {
    return linesOf(trace, file).get(line) ?? [];
}

/** Of each trace and file the steps by their lines: it is asked at each step, and a trace never changes. */
const known = new WeakMap<Trace, Map<number, Map<number, number[]>>>();

function linesOf(trace: Trace, file: number): Map<number, number[]> {
    const files = known.get(trace) ?? new Map<number, Map<number, number[]>>();
    known.set(trace, files);
    const found = files.get(file);
    if (found !== undefined) {
        return found;
    }
    const lines = new Map<number, number[]>();
    trace.steps.forEach((step, at) => {
        const number = trace.from + at + 1;
        for (const part of step.by) {
            const statement = trace.statements[part.statement];
            if (statement?.file !== file) {
                continue;
            }
            const line = statement.range.start.line;
            const steps = lines.get(line) ?? [];
            if (steps.at(-1) !== number) {
                steps.push(number);
            }
            lines.set(line, steps);
        }
    });
    files.set(file, lines);
    return lines;
}

export interface LineNote {
    readonly line: number;
    readonly text: string;
}

/** What stands at the ends of the lines of a file while one is at a step: the numbers of the steps that are taken there,
 *  and what the last of them up to now that changes something has changed, or else the first. */
export function lineNotes(trace: Trace, file: number, now: number): LineNote[] {
    return [...linesOf(trace, file)].map(([line, steps]) => {
        const before = steps.filter(step => step <= now).length;
        const telling = lastTelling(trace, steps, before);
        // Those around the one that is told.
        const first = Math.max(0, Math.min(before - MOST_NUMBERS / 2, steps.length - MOST_NUMBERS));
        const numbers = steps.slice(first, first + MOST_NUMBERS);
        const listed = [first > 0 ? '…' : '', ...numbers.map(String), first + MOST_NUMBERS < steps.length ? '…' : ''].filter(part => part !== '');
        const word = steps.length === 1 ? 'step' : 'steps';
        const values = valuesOf(trace, telling);
        const of = steps.length === 1 || values === '' ? '' : `${telling}: `;
        return { line, text: `${word} ${listed.join(', ')}${values === '' ? '' : `  ·  ${of}${values}`}` };
    });
}

/** The last of the first so many steps that changes something, or else the last of them. */
function lastTelling(trace: Trace, steps: readonly number[], count: number): number {
    for (let at = count - 1; at >= 0; at--) {
        const step = steps[at] ?? 0;
        if (valuesOf(trace, step) !== '') {
            return step;
        }
    }
    return steps[Math.max(0, count - 1)] ?? 0;
}

function valuesOf(trace: Trace, number: number): string {
    const step = trace.steps[number - trace.from - 1];
    const values = (step?.changes ?? []).flatMap(change => {
        const variable = trace.variables[change.variable];
        return variable === undefined || variable.kind === 'location' ? [] : [`${variable.name} = ${change.after}`];
    });
    const fails = step?.fails === undefined ? [] : [`fails: ${step.fails}`];
    const more = values.length > MOST_VALUES ? ['…'] : [];
    return [...values.slice(0, MOST_VALUES), ...more, ...fails].join(', ');
}
