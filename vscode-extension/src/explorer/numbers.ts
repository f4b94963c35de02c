// Numbers as people read them. Nothing here knows the editor.

/** 1234567 as "1,234,567". */
export function grouped(count: number): string {
    return Math.round(count).toLocaleString('en-US');
}

/** 1234567 as "1.2 M": where there is little room. */
export function short(count: number): string {
    const units = [
        [1e9, ' G'],
        [1e6, ' M'],
        [1e3, ' k'],
    ] as const;
    for (const [unit, name] of units) {
        if (count >= unit) {
            const figures = count / unit;
            return `${figures < 10 ? figures.toFixed(1) : Math.floor(figures)}${name}`;
        }
    }
    return String(Math.round(count));
}

/** What a person typed for the values of a parameter: "4, 6..8"; or what is wrong with it. */
export function valuesOf(typed: string, from: number, to: number): number[] | string {
    const values: number[] = [];
    for (const part of typed.split(',').map(part => part.trim())) {
        const match = /^(-?\d+)(?:\s*\.\.\s*(-?\d+))?$/.exec(part);
        if (match === null) {
            return `“${part}” is neither a number nor a range such as 4..6`;
        }
        const first = Number(match[1]);
        const last = match[2] === undefined ? first : Number(match[2]);
        if (last < first) {
            return `${first}..${last} has no values`;
        }
        if (first < from || last > to) {
            return `the values are those of ${from}..${to}`;
        }
        if (last - first >= MOST_VALUES || values.length + last - first >= MOST_VALUES) {
            return `at most ${MOST_VALUES} values are checked at once`;
        }
        for (let value = first; value <= last; value++) {
            values.push(value);
        }
    }
    return [...new Set(values)];
}

/** So many the server takes. */
const MOST_VALUES = 8;
