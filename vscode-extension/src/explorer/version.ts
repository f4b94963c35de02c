// Whether this extension and the server speak the same version of what `docs/requests.md` tells. Nothing here
// knows the editor.

import type { LanguageClient } from 'vscode-languageclient/node';

/** The version that this extension speaks. */
export const PROTOCOL = 1;

/** What there is to say of a server with which this extension cannot work; nothing of one with which it can. */
export function mismatch(program: string, version: string | undefined, protocol: unknown): string | undefined {
    if (protocol === PROTOCOL) {
        return undefined;
    }
    const is = `The server ${program} is version ${version ?? 'unknown'}, and `;
    if (typeof protocol === 'number' && protocol > PROTOCOL) {
        return `${is}newer than this extension can work with (it speaks version ${protocol} of their protocol, and this needs version ${PROTOCOL}). Update the extension, or name an older server in the setting stubborn.server.path.`;
    }
    const speaks = typeof protocol === 'number' ? `it speaks version ${protocol} of their protocol` : 'it does not say which protocol it speaks';
    return `${is}older than this extension needs (${speaks}, and this needs version ${PROTOCOL}). Update the server, or leave the setting stubborn.server.path empty to use the one inside the extension.`;
}

/** The same of a client that has been started. */
export function mismatchOf(client: LanguageClient, program: string): string | undefined {
    const result = client.initializeResult;
    const experimental = result?.capabilities.experimental as { stubborn?: { protocol?: unknown } } | undefined;
    return mismatch(program, result?.serverInfo?.version, experimental?.stubborn?.protocol);
}
