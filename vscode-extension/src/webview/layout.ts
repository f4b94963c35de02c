// Where the nodes and the edges of a picture go. Knows no page, so that it can be tested without one.

import { graphlib, layout } from '@dagrejs/dagre';
import type { Picture, PictureEdge, PictureNode } from '../picture/protocol';

/** A letter of the labels, about, and a line. */
const LETTER = 7.3;
const LINE = 17;
const PADDING = 10;
/** A label is cut after so many letters. */
const MOST_LETTERS = 36;
/** So many values stand in a node, and so many labels on an edge. */
const MOST_VALUES = 6;
const MOST_LABELS = 2;
/** A picture with more nodes than this shows numbers alone, and the rest of the node that is looked at. */
export const MOST_DETAILED = 60;
/** One of states with more of them than this has nothing on its edges: what is done there is told beside it. */
const MOST_LABELLED = 12;
/** How far a step to the same node reaches beside it. */
const LOOP = 22;

export interface Point {
    readonly x: number;
    readonly y: number;
}

export interface Box extends Point {
    readonly width: number;
    readonly height: number;
    readonly lines: readonly string[];
}

export interface Way {
    readonly points: readonly Point[];
    readonly lines: readonly string[];
    /** Where the lines stand, if there are any. */
    readonly label: Point | undefined;
}

export interface Laid {
    readonly width: number;
    readonly height: number;
    readonly boxes: readonly Box[];
    readonly ways: readonly Way[];
}

export function cut(text: string): string {
    const letters = [...text];
    return letters.length > MOST_LETTERS ? `${letters.slice(0, MOST_LETTERS - 1).join('')}…` : text;
}

/** What stands in a node. */
export function linesOf(picture: Picture, node: PictureNode): string[] {
    if (picture.nodes.length > MOST_DETAILED || node.values === undefined) {
        return [cut(node.label)];
    }
    // By its number it is named elsewhere.
    const named = (at: number): string => (at === 0 ? `${node.label}: ` : '') + (picture.variables[at] ?? '');
    const values = node.values.slice(0, MOST_VALUES).map((value, at) => cut(`${named(at)} = ${value}`));
    const more = node.values.length > MOST_VALUES ? ['…'] : [];
    return values.length === 0 ? [cut(node.label)] : [...values, ...more];
}

/** What stands on an edge. */
export function labelsOf(picture: Picture, edge: PictureEdge): string[] {
    if (picture.nodes.length > (picture.kind === 'states' ? MOST_LABELLED : MOST_DETAILED)) {
        return [];
    }
    const more = edge.labels.length > MOST_LABELS ? [`and ${edge.labels.length - MOST_LABELS} more`] : [];
    return [...edge.labels.slice(0, MOST_LABELS).map(cut), ...more];
}

function size(lines: readonly string[]): { width: number; height: number } {
    const longest = Math.max(0, ...lines.map(line => [...line].length));
    return { width: longest * LETTER, height: lines.length * LINE };
}

/** Lays a picture out, from the top to the bottom. */
export function lay(picture: Picture): Laid {
    const graph = new graphlib.Graph({ multigraph: true });
    const isLarge = picture.nodes.length > MOST_DETAILED;
    graph.setGraph({
        rankdir: 'TB',
        nodesep: isLarge ? 14 : 36,
        ranksep: isLarge ? 34 : 44,
        edgesep: isLarge ? 6 : 16,
        marginx: 16,
        marginy: 16,
        // The other rankers try to make edges shorter, which takes too long for a large picture.
        ranker: isLarge ? 'longest-path' : 'network-simplex',
    });
    // A step to the same node is drawn beside it, and there must be room.
    const beside = picture.nodes.map(() => 0);
    picture.edges.forEach(edge => {
        if (edge.from === edge.to) {
            beside[edge.from] = LOOP + size(labelsOf(picture, edge)).width;
        }
    });
    const sizes = picture.nodes.map(node => {
        const { width, height } = size(linesOf(picture, node));
        return { width: Math.max(28, width + 2 * PADDING), height: height + PADDING };
    });
    sizes.forEach(({ width, height }, at) => {
        graph.setNode(String(at), { width: width + 2 * (beside[at] ?? 0), height });
    });
    // Of a large picture those alone that lead one level on: the others, which may cross all of it, would take the
    // layout most of its time, and are drawn straight.
    const levels = isLarge ? levelsOf(picture) : undefined;
    const isLaid = ({ from, to }: PictureEdge): boolean => from !== to && (levels === undefined || levels[to] === (levels[from] ?? 0) + 1);
    picture.edges.forEach((edge, at) => {
        if (!isLaid(edge)) {
            return;
        }
        const lines = labelsOf(picture, edge);
        const { width, height } = size(lines);
        const label = lines.length === 0 ? {} : { width: width + 8, height, labelpos: 'c' as const };
        graph.setEdge(String(edge.from), String(edge.to), { ...label }, String(at));
    });
    layout(graph, { disableOptimalOrderHeuristic: isLarge });
    const boxes = picture.nodes.map((node, at): Box => {
        const { x = 0, y = 0 } = (graph.node(String(at)) ?? {}) as Partial<Box>;
        const { width, height } = sizes[at] ?? { width: 0, height: 0 };
        return { x, y, width, height, lines: linesOf(picture, node) };
    });
    const ways = picture.edges.map((edge, at): Way => {
        const [from, to] = [boxes[edge.from], boxes[edge.to]];
        if (from !== undefined && from === to) {
            const lines = labelsOf(picture, edge);
            const x = from.x + from.width / 2 + LOOP + size(lines).width / 2;
            return { points: loop(from), lines, label: lines.length > 0 ? { x, y: from.y } : undefined };
        }
        if (!isLaid(edge) && from !== undefined && to !== undefined) {
            return { points: straight(from, to), lines: [], label: undefined };
        }
        const laid = (graph.edge(String(edge.from), String(edge.to), String(at)) ?? {}) as { points?: Point[]; x?: number; y?: number };
        const lines = labelsOf(picture, edge);
        const label = lines.length > 0 && laid.x !== undefined && laid.y !== undefined ? { x: laid.x, y: laid.y } : undefined;
        return { points: laid.points ?? [], lines, label };
    });
    const { width = 0, height = 0 } = (graph.graph() ?? {}) as { width?: number; height?: number };
    return { width, height, boxes, ways };
}

/** How many steps each node is from the first. */
function levelsOf(picture: Picture): number[] {
    const next: number[][] = picture.nodes.map(() => []);
    picture.edges.forEach(({ from, to }) => next[from]?.push(to));
    const levels = picture.nodes.map(() => Number.POSITIVE_INFINITY);
    const open = [0];
    levels[0] = 0;
    for (const at of open) {
        for (const to of next[at] ?? []) {
            if (levels[to] === Number.POSITIVE_INFINITY) {
                levels[to] = (levels[at] ?? 0) + 1;
                open.push(to);
            }
        }
    }
    return levels;
}

/** Out of the side of a box and back into it. */
function loop(box: Box): Point[] {
    const right = box.x + box.width / 2;
    return [
        { x: right, y: box.y - 5 },
        { x: right + LOOP - 6, y: box.y - 10 },
        { x: right + LOOP - 6, y: box.y + 10 },
        { x: right, y: box.y + 5 },
    ];
}

/** From the edge of one box to that of another, a little bent so that the way back is another line. */
function straight(from: Box, to: Box): Point[] {
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const length = Math.hypot(dx, dy) || 1;
    const bend = Math.min(40, length / 8);
    const middle = { x: (from.x + to.x) / 2 - (dy / length) * bend, y: (from.y + to.y) / 2 + (dx / length) * bend };
    return [border(from, middle), middle, border(to, middle)];
}

/** Where the line from the middle of a box to a point leaves it. */
function border(box: Box, towards: Point): Point {
    const [dx, dy] = [towards.x - box.x, towards.y - box.y];
    const reach = Math.min(box.width / 2 / (Math.abs(dx) || 1e-9), box.height / 2 / (Math.abs(dy) || 1e-9), 1);
    return { x: box.x + dx * reach, y: box.y + dy * reach };
}

/** A smooth line through the points, as SVG's paths are written. */
export function path(points: readonly Point[]): string {
    const [first, ...rest] = points;
    if (first === undefined) {
        return '';
    }
    const at = ({ x, y }: Point): string => `${round(x)},${round(y)}`;
    let text = `M${at(first)}`;
    let before = first;
    rest.forEach((point, number) => {
        const next = rest[number + 1];
        if (next === undefined) {
            text += `L${at(point)}`;
        } else {
            // Through the middles, bent towards the points.
            const middle = { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
            text += number === 0 ? `L${at({ x: (before.x + point.x) / 2, y: (before.y + point.y) / 2 })}Q${at(point)} ${at(middle)}` : `Q${at(point)} ${at(middle)}`;
        }
        before = point;
    });
    return text;
}

function round(number: number): number {
    return Math.round(number * 10) / 10;
}
