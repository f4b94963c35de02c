// A picture that is laid out, as SVG: one for the page, in the editor's colours, and one to be put elsewhere.

import type { Picture } from '../picture/protocol';
import { type Laid, path } from './layout';

const NAMESPACE = 'http://www.w3.org/2000/svg';
const LINE = 17;

function svg(name: string, attributes: Record<string, string | number>, text?: string): SVGElement {
    const element = document.createElementNS(NAMESPACE, name);
    for (const [attribute, value] of Object.entries(attributes)) {
        element.setAttribute(attribute, String(value));
    }
    if (text !== undefined) {
        element.textContent = text;
    }
    return element;
}

/** The classes of a node: what it is, and whether the run passes it. */
export function classesOf(picture: Picture, at: number): string {
    const node = picture.nodes[at];
    return ['node', ...(node?.marks ?? []), node?.run === undefined ? '' : 'on-run'].filter(part => part !== '').join(' ');
}

export function draw(picture: Picture, laid: Laid): SVGElement {
    const all = svg('svg', { viewBox: `0 0 ${laid.width} ${laid.height}`, width: laid.width, height: laid.height });
    const defs = svg('defs', {});
    for (const id of ['head', 'head-run']) {
        const marker = svg('marker', { id, viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: 'userSpaceOnUse', orient: 'auto' });
        marker.append(svg('path', { d: 'M0 0 L8 4 L0 8 z', class: id }));
        defs.append(marker);
    }
    all.append(defs);
    picture.edges.forEach((edge, at) => {
        const way = laid.ways[at];
        if (way === undefined) {
            return;
        }
        const isOnRun = edge.run !== undefined;
        const group = svg('g', { class: `edge${isOnRun ? ' on-run' : ''}`, 'data-edge': at });
        const d = path(way.points);
        // A wider one to be hit.
        group.append(svg('path', { d, class: 'reach' }), svg('path', { d, class: 'line', 'marker-end': `url(#${isOnRun ? 'head-run' : 'head'})` }));
        const { label, lines } = way;
        if (label !== undefined) {
            const top = label.y - ((lines.length - 1) * LINE) / 2 + 4;
            lines.forEach((line, number) => group.append(svg('text', { x: label.x, y: top + number * LINE, class: 'label' }, line)));
        }
        const numbers = edge.run === undefined ? '' : ` (step ${edge.run.join(', ')} of the run)`;
        group.append(svg('title', {}, `${edge.labels.join('\n')}${numbers}`));
        all.append(group);
    });
    picture.nodes.forEach((node, at) => {
        const box = laid.boxes[at];
        if (box === undefined) {
            return;
        }
        const group = svg('g', { class: classesOf(picture, at), 'data-node': at, id: `node-${at}` });
        const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
        group.append(svg('rect', { x: left, y: top, width: box.width, height: box.height, rx: 6, class: 'box' }));
        if (node.marks.includes('terminal')) {
            group.append(svg('rect', { x: left + 3, y: top + 3, width: box.width - 6, height: box.height - 6, rx: 4, class: 'inner' }));
        }
        if (node.marks.includes('initial')) {
            group.append(svg('path', { d: `M${box.x},${top - 14}L${box.x},${top - 1}`, class: 'line', 'marker-end': 'url(#head)' }));
        }
        box.lines.forEach((line, number) => {
            group.append(svg('text', { x: box.x, y: top + LINE * (number + 1) + 1, class: 'name' }, line));
        });
        const values = (node.values ?? []).map((value, number) => `${picture.variables[number] ?? ''} = ${value}`);
        group.append(svg('title', {}, [node.label, ...values].join('\n')));
        all.append(group);
    });
    return all;
}

function escaped(text: string): string {
    return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** The picture as a file of its own, on white, that loads nothing. */
export function standalone(picture: Picture, laid: Laid): string {
    const parts = [
        `<svg xmlns="${NAMESPACE}" width="${laid.width}" height="${laid.height}" viewBox="0 0 ${laid.width} ${laid.height}" font-family="sans-serif" font-size="12">`,
        '<defs><marker id="head" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="9" markerHeight="9" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="context-stroke"/></marker></defs>',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ];
    const text = (x: number, y: number, line: string): string => `<text x="${x}" y="${y}" text-anchor="middle" fill="#222222">${escaped(line)}</text>`;
    picture.edges.forEach((edge, at) => {
        const way = laid.ways[at];
        if (way === undefined) {
            return;
        }
        const colour = edge.run === undefined ? '#777777' : '#c0392b';
        parts.push(`<path d="${path(way.points)}" fill="none" stroke="${colour}" stroke-width="${edge.run === undefined ? 1 : 2}" marker-end="url(#head)"/>`);
        const { label, lines } = way;
        if (label !== undefined) {
            const top = label.y - ((lines.length - 1) * LINE) / 2 + 4;
            lines.forEach((line, number) => parts.push(text(label.x, top + number * LINE, line)));
        }
    });
    picture.nodes.forEach((node, at) => {
        const box = laid.boxes[at];
        if (box === undefined) {
            return;
        }
        const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
        const isBad = node.marks.includes('violation') || node.marks.includes('failure');
        const stroke = isBad || node.run !== undefined ? '#c0392b' : '#1f5fa8';
        const fill = isBad ? '#fbe9e7' : '#f4f7fb';
        parts.push(`<rect x="${left}" y="${top}" width="${box.width}" height="${box.height}" rx="6" fill="${fill}" stroke="${stroke}" stroke-width="${node.marks.includes('initial') ? 2 : 1}"/>`);
        if (node.marks.includes('terminal')) {
            parts.push(`<rect x="${left + 3}" y="${top + 3}" width="${box.width - 6}" height="${box.height - 6}" rx="4" fill="none" stroke="${stroke}"/>`);
        }
        box.lines.forEach((line, number) => parts.push(text(box.x, top + LINE * (number + 1) + 1, line)));
    });
    return `${parts.join('\n')}\n</svg>\n`;
}
