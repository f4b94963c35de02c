// A test in the editor: started afresh, told of in full where it fails, and always cleared away.

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { test } from 'node:test';
import { startCodeServer } from './code-server.mjs';
import { openWorkbench } from './workbench.mjs';

const vsix = process.env.VSIX;
const rig = process.env.EDITOR_RIG ?? fileURLToPath(new URL('../../target/editor-rig', import.meta.url));
const failures = join(rig, 'failures');
const screenshots = join(rig, 'screenshots');

/** Keeps a picture of the page, for people to look at. */
export async function keepPicture(editor, name) {
    mkdirSync(screenshots, { recursive: true });
    await editor.page.screenshot({ path: join(screenshots, `${name}.png`), animations: 'disabled' });
}

/**
 * `run` gets the server, and a function that opens the workbench: on the server's copy of the fixtures, or on
 * another `folder`, on a `workspace` file, or with `{}` on nothing.
 */
export function editorTest(name, options, run) {
    test(name, { timeout: 300_000 }, async () => {
        if (vsix === undefined) {
            throw new Error('VSIX does not name the package to test; tests/editor/run.sh builds it and sets it');
        }
        const server = await startCodeServer({ vsix, ...options });
        let workbench;
        const open = async where => (workbench = await openWorkbench(server.url, where ?? { folder: server.folder }));
        try {
            await run({ server, open });
        } catch (error) {
            await report(name, server, workbench);
            throw error;
        } finally {
            await workbench?.close();
            await server.stop();
        }
    });
}

async function report(name, server, workbench) {
    console.error(`\nFAILED: ${name}`);
    if (workbench !== undefined) {
        const picture = join(failures, `${name.replace(/\W+/g, '-')}.png`);
        mkdirSync(failures, { recursive: true });
        // The page may be what failed; its own error must not take the place of the test's.
        const seen = await workbench.describe().catch(error => `the page cannot be read: ${error}`);
        const shot = await workbench.page.screenshot({ path: picture }).then(
            () => picture,
            error => `none: ${error}`,
        );
        console.error(`--- on the page\n${seen}\n--- picture: ${shot}`);
    }
    console.error(`--- output of the editor and of the server\n${server.log()}`);
}
