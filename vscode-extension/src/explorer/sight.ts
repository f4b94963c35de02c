// Which text the window is about: the one in front, or the one behind a panel that tells of it. Nothing here knows the
// editor.

/** The kinds of panels, as the editor is told of them. */
export const TRACE_PANEL = 'stubborn.trace';
export const PICTURE_PANEL = 'stubborn.picture';

/** Whether a panel with this type has the focus that tells of a text. The editor writes something of its own before it. */
function tellsOfText(type: string): boolean {
    return [TRACE_PANEL, PICTURE_PANEL].some(ours => type === ours || type.endsWith(`-${ours}`));
}

/**
 * Of the text that has the focus, if one has it, and the one that had it last; `panel` is the type of the panel that has it,
 * if one has it.
 */
export function inSight<Text>(focused: Text | undefined, last: Text | undefined, panel: string | undefined): Text | undefined {
    return focused ?? (panel !== undefined && tellsOfText(panel) ? last : undefined);
}
