// Where the server is. Nothing here knows the editor, so that it can be tested without one.

import * as fs from 'node:fs';
import * as path from 'node:path';

/** What decides which program is started. */
export interface Surroundings {
    /** The setting `stubborn.server.path`; empty where nobody has set it. */
    readonly configured: string;
    /** The folder that this extension is installed in. */
    readonly extensionFolder: string;
    /** The value of the variable `PATH`. */
    readonly searchPath: string;
    /** The user's home folder, which `~/` stands for. */
    readonly home: string;
}

export type Search =
    | { readonly found: true; readonly program: string }
    | { readonly found: false; readonly problem: string };

const NAME = process.platform === 'win32' ? 'stubborn.exe' : 'stubborn';

/**
 * The server to start: the one that the setting names, else the one inside the extension, else the
 * first one on the `PATH`. A setting that names no program is a problem, and not a reason to start
 * another one: whoever set it would be looking at the verdicts of a program they did not choose.
 */
export function findServer(at: Surroundings): Search {
    if (at.configured.trim() !== '') {
        return configuredServer(at.configured.trim(), at.home);
    }
    const bundled = path.join(at.extensionFolder, 'server', NAME);
    if (look(bundled) === 'program') {
        return { found: true, program: bundled };
    }
    for (const folder of at.searchPath.split(path.delimiter)) {
        const program = path.join(folder, NAME);
        // A relative entry would be looked up in the workspace, which nothing may be run from.
        if (path.isAbsolute(folder) && look(program) === 'program') {
            return { found: true, program };
        }
    }
    const beside =
        look(bundled) === 'missing'
            ? 'there is none inside this extension'
            : `the file inside this extension, ${bundled}, may not be run`;
    return {
        found: false,
        problem:
            `The program ${NAME} was not found: ${beside}, and none is on the PATH. ` +
            'Install the extension for your platform, put the program on the PATH, ' +
            'or name it in the setting stubborn.server.path.',
    };
}

function configuredServer(configured: string, home: string): Search {
    const program = /^~[/\\]/.test(configured) ? path.join(home, configured.slice(2)) : configured;
    const setting = `The setting stubborn.server.path names ${configured}`;
    if (!path.isAbsolute(program)) {
        return {
            found: false,
            problem: `${setting}, which is not an absolute path. Write the whole path of the program, or clear the setting.`,
        };
    }
    switch (look(program)) {
        case 'program':
            return { found: true, program };
        case 'missing':
            return { found: false, problem: `${setting}, and there is no such file. Correct the setting, or clear it.` };
        case 'not a program':
            return {
                found: false,
                problem: `${setting}, which is not a program that may be run. Name the program itself, or make the file executable.`,
            };
    }
}

function look(file: string): 'program' | 'not a program' | 'missing' {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    if (stat === undefined) {
        return 'missing';
    }
    if (!stat.isFile()) {
        return 'not a program';
    }
    try {
        fs.accessSync(file, fs.constants.X_OK);
        return 'program';
    } catch {
        return 'not a program';
    }
}
