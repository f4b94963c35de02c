import { promisify } from 'node:util';
import yauzl from 'yauzl';

const open = promisify(yauzl.open);

/** The files in a package: of each its size in bytes and its Unix mode, under its path in the archive. */
export async function readPackage(file) {
    const archive = await open(file);
    return new Promise((resolve, reject) => {
        const files = new Map();
        archive.on('entry', entry => {
            // The upper half of the attributes is the mode, where the archive was made on Unix.
            files.set(entry.fileName, { size: entry.uncompressedSize, mode: (entry.externalFileAttributes >>> 16) & 0o7777 });
        });
        archive.on('end', () => resolve(files));
        archive.on('error', reject);
    });
}

/** The text of one of them. */
export async function readText(file, name) {
    const archive = await open(file);
    return new Promise((resolve, reject) => {
        let isFound = false;
        archive.on('entry', entry => {
            if (entry.fileName !== name) {
                return;
            }
            isFound = true;
            archive.openReadStream(entry, (problem, stream) => {
                if (problem) {
                    reject(problem);
                    return;
                }
                const parts = [];
                stream.on('data', part => parts.push(part));
                stream.on('error', reject);
                stream.on('end', () => resolve(Buffer.concat(parts).toString('utf8')));
            });
        });
        archive.on('end', () => isFound || reject(new Error(`there is no ${name} in ${file}`)));
        archive.on('error', reject);
    });
}
