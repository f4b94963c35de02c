// The sequence chart, a piece for each step: a line for each participant, a dot for who takes the step, and arrows for
// actions that several take together and for messages.

import type { Participant, Step, Trace } from '../panel/protocol';

/** The height of a step, in pixels. */
export const ROW = 26;
/** Between the lines of two participants, so that their names fit if that can be. */
const LEAST_LANE = 30;
const MOST_LANE = 96;
/** All lines together may take so much before they move closer. */
const ROOM = 420;
/** A letter of a name, about. */
const LETTER = 6;

const SVG = 'http://www.w3.org/2000/svg';

/** Those of a run that have a line, and where. */
export class Lanes {
    readonly shown: readonly number[];
    /** From one line to the next, in pixels. */
    readonly apart: number;
    private readonly places: ReadonlyMap<number, number>;

    /** As wide as they are best, or within so many pixels as far as that can be. */
    constructor(
        private readonly trace: Trace,
        room = ROOM,
    ) {
        this.shown = [...trace.participants.keys()].filter(at => trace.participants[at]?.moves);
        const longest = Math.max(0, ...this.shown.map(at => trace.participants[at]?.name.length ?? 0));
        const wanted = Math.min(MOST_LANE, Math.max(LEAST_LANE, longest * LETTER + 8));
        this.apart = Math.max(LEAST_LANE, Math.min(wanted, Math.min(ROOM, room) / Math.max(1, this.shown.length)));
        this.places = new Map(this.shown.map((participant, place) => [participant, place]));
    }

    get width(): number {
        return this.shown.length * this.apart;
    }

    /** The lines of those that are of such a kind, as one shape. */
    drawn(className: string, isMeant: (kind: Participant['kind']) => boolean): SVGElement {
        const lines = this.shown.map((participant, place) => {
            const kind = this.trace.participants[participant]?.kind ?? 'process';
            return isMeant(kind) ? `M${(place + 0.5) * this.apart},0 V${ROW}` : '';
        });
        return shape('path', { d: lines.join(' '), class: className });
    }

    /** Where a participant's line is. */
    x(participant: number): number | undefined {
        const place = this.places.get(participant);
        return place === undefined ? undefined : (place + 0.5) * this.apart;
    }
}

/** With which lines a picture was drawn last: those of all steps are the same ones. */
const drawnWith = new WeakMap<SVGSVGElement, Lanes>();

/** Draws a step into the picture of a row, which may have another one's in it. */
export function drawStep(picture: SVGSVGElement, lanes: Lanes, step: Step | undefined): void {
    if (drawnWith.get(picture) !== lanes) {
        drawnWith.set(picture, lanes);
        picture.setAttribute('width', String(lanes.width));
        picture.setAttribute('height', String(ROW));
        picture.replaceChildren(lanes.drawn('lane', kind => kind === 'process'), lanes.drawn('lane dashed', kind => kind !== 'process'), group());
    }
    const middle = ROW / 2;
    const parts: SVGElement[] = [];
    const by = (step?.by ?? []).flatMap(part => lanes.x(part.participant) ?? []);
    const first = by[0];
    if (first !== undefined) {
        for (const other of by.slice(1)) {
            parts.push(...arrow(first, other, middle, 'joint'));
        }
        for (const message of step?.messages ?? []) {
            const channel = lanes.x(message.channel);
            if (channel !== undefined) {
                parts.push(...(message.sent ? arrow(first, channel, middle, 'sent') : arrow(channel, first, middle, 'received')));
            }
        }
    }
    for (const x of by) {
        const fails = step?.fails !== undefined;
        parts.push(shape('circle', { cx: x, cy: middle, r: 4.5, class: fails ? 'mover fails' : 'mover' }));
    }
    picture.lastElementChild?.replaceChildren(...parts);
}

function arrow(from: number, to: number, y: number, kind: string): SVGElement[] {
    const direction = Math.sign(to - from);
    // The dot at its end stays free.
    const tip = to - direction * 6;
    const head = `M${tip - direction * 7},${y - 4} L${tip},${y} L${tip - direction * 7},${y + 4} z`;
    return [
        shape('line', { x1: from, y1: y, x2: tip - direction * 4, y2: y, class: `arrow ${kind}` }),
        shape('path', { d: head, class: `head ${kind}` }),
    ];
}

function group(): SVGElement {
    return document.createElementNS(SVG, 'g');
}

function shape(name: string, attributes: Readonly<Record<string, string | number>>): SVGElement {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) {
        element.setAttribute(key, String(value));
    }
    return element;
}

export function picture(): SVGSVGElement {
    const made = document.createElementNS(SVG, 'svg');
    made.setAttribute('aria-hidden', 'true');
    return made;
}
