// Sessions with the debug adapter, driven by the client that VS Code's makers test theirs with.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import testsupport from '@vscode/debugadapter-testsupport';

const program = process.env.STUBBORN;

/** Two that may be in `critical` at once: both pass the test before one has set the lock. */
const LOCK = `\
var free: bool = true
var seen: array[0..1] of 0..3

process worker(i in 0..1) {
    var tries: 0..3
    initial state idle     { when free do tries = tries + 1  -> entering }
    state entering         { do free = false, seen[i] = 1    -> critical }
    state critical         { do free = true                  -> done }
    final state done
}

invariant mutex: count(i in 0..1: worker(i)@critical) <= 1
reachable both: worker(0)@done and worker(1)@done
`;

/** One that stops, and one that goes round for ever without a 3. */
const ROUND = `\
var x: 0..3
channel c: queue[2] of 0..3
process p {
    send c(x)
    x = 1
    loop { x = 2; x = 1 }
}
process q { skip }
termination not required
ltl three: eventually x == 3
`;

function session(name, text, run) {
    test(name, { timeout: 60_000 }, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'stubborn-dap-'));
        const model = join(folder, 'm.stb');
        writeFileSync(model, text);
        const client = new testsupport.DebugClient(program, 'dap', 'stubborn');
        client.defaultTimeout = 30_000;
        await client.start();
        const debugging = new Debugging(client, model);
        try {
            await run(debugging);
        } finally {
            await debugging.leave();
            rmSync(folder, { recursive: true });
        }
    });
}

class Debugging {
    constructor(client, model) {
        this.client = client;
        this.model = model;
    }

    /** An adapter that was left says no more. */
    async leave() {
        this.left ??= this.client.stop();
        await this.left;
    }

    /** Launches, sets breakpoints, and waits for the first stop. */
    async launch(attributes = {}, breakpoints = []) {
        const stopped = this.client.waitForEvent('stopped');
        await Promise.all([
            this.client.waitForEvent('initialized').then(async () => {
                if (breakpoints.length > 0) {
                    const source = { path: this.model };
                    this.set = (await this.client.setBreakpointsRequest({ source, breakpoints })).body.breakpoints;
                }
                await this.client.configurationDoneRequest();
            }),
            this.client.launch({ program: this.model, ...attributes }),
        ]);
        return (await stopped).body;
    }

    /** Presses a button, and waits until that has led somewhere. */
    async press(button, more = {}) {
        const stopped = this.client.waitForEvent('stopped');
        await this.client[`${button}Request`]({ threadId: 1, ...more });
        return (await stopped).body;
    }

    /** "entering, line 7". */
    async at(threadId) {
        const [frame] = (await this.client.stackTraceRequest({ threadId })).body.stackFrames;
        assert.equal(frame.source.path, this.model);
        return `${frame.name}, line ${frame.line}`;
    }

    /** What a scope has: "free = false (was true)". */
    async scope(frameId, name) {
        const { scopes } = (await this.client.scopesRequest({ frameId })).body;
        const scope = scopes.find(one => one.name === name);
        assert.ok(scope, `${name} is among ${scopes.map(one => one.name)}`);
        return this.below(scope.variablesReference);
    }

    async below(variablesReference) {
        const { variables } = (await this.client.variablesRequest({ variablesReference })).body;
        this.variables = variables;
        return variables.map(one => `${one.name} = ${one.value}`);
    }

    async value(expression, frameId) {
        return (await this.client.evaluateRequest({ expression, frameId, context: 'watch' })).body.result;
    }
}

session('a counterexample is stepped through, forwards and back', LOCK, async debug => {
    const entry = await debug.launch();
    assert.equal(entry.reason, 'entry');
    assert.equal(entry.text, 'at the start, before 4 steps');
    const { threads } = (await debug.client.threadsRequest()).body;
    assert.deepEqual(threads, [{ id: 1, name: 'worker(0)' }, { id: 2, name: 'worker(1)' }]);
    assert.equal(await debug.at(1), 'idle, line 6');
    assert.deepEqual(await debug.scope(1, 'Locals'), ['i = 0', 'tries = 0']);
    assert.deepEqual(await debug.scope(1, 'Properties'), ['mutex = true', 'both = false']);

    let moved = await debug.press('stepIn');
    assert.equal(moved.reason, 'step');
    assert.equal(moved.text, 'after step 1 of 4');
    assert.deepEqual(await debug.scope(1, 'Locals'), ['i = 0', 'tries = 1 (was 0)']);
    assert.deepEqual(await debug.scope(2, 'Locals'), ['i = 1', 'tries = 0']);

    moved = await debug.press('continue');
    assert.equal(moved.reason, 'exception');
    assert.match(moved.text, /^after step 4 of 4; mutex is false; the run ends here: mutex is violated: 2 workers are in critical/);
    assert.equal(moved.description, 'mutex is violated');
    const { exceptionId, description } = (await debug.client.exceptionInfoRequest({ threadId: 1 })).body;
    assert.deepEqual([exceptionId, description], [moved.description, moved.text]);
    assert.deepEqual(await debug.scope(1, 'Properties'), ['mutex = false (was true)', 'both = false']);
    assert.equal(await debug.at(1), 'critical, line 8');
    // An array opens, and tells what has changed of it.
    assert.deepEqual(await debug.scope(1, 'Shared'), ['free = false', 'seen = [1, 1] (was [1, 0])']);
    assert.deepEqual(await debug.below(debug.variables[1].variablesReference), ['[0] = 1', '[1] = 1 (was 0)']);
    assert.equal(debug.variables[1].evaluateName, 'seen[1]');
    // It goes no further, and stays.
    assert.equal((await debug.press('next')).reason, 'exception');

    const references = (await debug.client.scopesRequest({ frameId: 1 })).body.scopes;
    moved = await debug.press('stepBack');
    assert.equal(moved.text, 'after step 3 of 4; mutex is true');
    await assert.rejects(debug.below(references[0].variablesReference), /somewhere else by now/);
    moved = await debug.press('reverseContinue');
    assert.equal(moved.text, 'at the start');
    assert.equal((await debug.press('stepBack')).text, 'at the start; this is where it begins');
    // The next step of one passes over those of others.
    moved = await debug.press('next', { threadId: 2 });
    assert.equal(await debug.value('worker(1)', 1), 'entering');
    moved = await debug.press('restart');
    assert.equal(moved.reason, 'restart');
    assert.equal(await debug.value('seen', 1), '[0, 0]');
});

session('a watch has the names of its frame', LOCK, async debug => {
    await debug.launch({ property: 'mutex' });
    await debug.press('stepIn');
    assert.equal(await debug.value('10 * i + tries', 1), '1');
    assert.equal(await debug.value('10 * i + tries', 2), '10');
    assert.equal(await debug.value('worker(0)@entering and free'), 'true');
    await assert.rejects(debug.value('tries'), /`tries` is not known/);
    await assert.rejects(debug.value('seen[i + 7]', 1), /no value here: the index 7 is outside/);
    await assert.rejects(debug.value('free and'), /expected an expression after `and`/);
});

session('it stops before a step, where a condition is true', LOCK, async debug => {
    const breakpoints = [{ line: 7, condition: 'i == 1' }, { line: 10 }, { line: 7, condition: 'nobody' }, { line: 6, condition: 'tries' }];
    await debug.launch({ property: 'mutex', stopOnEntry: false }, breakpoints);
    assert.deepEqual(debug.set.map(one => [one.verified, one.line]), [[true, 7], [true, 8], [false, undefined], [false, undefined]]);
    assert.match(debug.set[2].message, /`nobody` is not known/);
    assert.match(debug.set[3].message, /`tries` is no truth value/);
    assert.equal(await debug.value('free', 1), 'false');
    assert.equal(await debug.at(2), 'entering, line 7');
    const back = await debug.press('reverseContinue');
    assert.equal(back.text, 'at the start');
    const source = { path: debug.model };
    const { breakpoints: locations } = (await debug.client.customRequest('breakpointLocations', { source, line: 1, endLine: 99 })).body;
    assert.deepEqual(locations.map(one => one.line), [6, 7, 8]);
});

session('the cycle of a run goes round', ROUND, async debug => {
    await debug.launch({ property: 'three' });
    const cycle = await debug.press('continue');
    assert.match(cycle.text, /here the cycle begins, which goes round for ever$/);
    const { threads } = (await debug.client.threadsRequest()).body;
    assert.deepEqual(threads.map(one => one.name), ['p', 'q']);
    const first = await debug.value('x');
    const round = await debug.press('continue');
    assert.match(round.text, /round 1 of the cycle is over: it is where it began$/);
    assert.equal(await debug.value('x'), first);
    await debug.press('next');
    assert.notEqual(await debug.value('x'), first);
    // Who does not move on the cycle does not move.
    const idle = await debug.press('next', { threadId: 2 });
    assert.equal(idle.text, 'q takes no step any more, however often the cycle goes round');
    assert.notEqual(await debug.value('x'), first);
    assert.deepEqual(await debug.scope(1, 'Channels'), ['c = [0]']);
    assert.deepEqual(await debug.below(debug.variables[0].variablesReference), ['[0] = 0']);
});

const WATCHED = `\
action go
action back
process p { initial state a { on go -> b } state b { on back -> a } }
termination not required
`;

session('what watches a run is a thread of its own', WATCHED, async debug => {
    const tester = `${debug.model}.tester`;
    writeFileSync(tester, 'use "m.stb"\ntester once {\n    initial state fresh { on go -> gone }\n    state gone { on back -> wrong }\n    reject state wrong\n}\n');
    await debug.launch({ program: tester });
    const { threads } = (await debug.client.threadsRequest()).body;
    assert.deepEqual(threads.map(one => one.name), ['p', 'once']);
    const frame = async () => (await debug.client.stackTraceRequest({ threadId: 2 })).body.stackFrames[0];
    const met = [];
    for (let step = 0; step < 3; step++) {
        const { name, line, source } = await frame();
        met.push(`${name}, ${source.name}:${line}`);
        await debug.press('next', { threadId: 2 });
    }
    assert.deepEqual(met, ['fresh, m.stb.tester:3', 'gone, m.stb.tester:4', 'wrong, m.stb.tester:5']);
    assert.equal(await debug.value('p(', 2).catch(() => 'no value'), 'no value');
    assert.equal(await debug.value('p', 2), 'a');
});

session('the steps of a simulation are picked, or left to chance', LOCK, async debug => {
    await debug.launch({ mode: 'simulate', seed: 3 });
    const offered = async () => (await debug.client.stepInTargetsRequest({ frameId: 1 })).body.targets;
    const first = await offered();
    assert.deepEqual(first.map(one => one.label), [
        'worker(0) idle → entering, line 6   worker(0).tries = 1',
        'worker(1) idle → entering, line 6   worker(1).tries = 1',
    ]);
    assert.deepEqual(await debug.scope(1, 'Enabled steps'), first.map(one => `${one.id} = ${one.label}`));
    await debug.press('stepIn', { targetId: 2 });
    assert.equal(await debug.value('worker(1)'), 'entering');
    await debug.press('stepIn', { targetId: 1 });
    await debug.press('next', { threadId: 2 });
    assert.equal(await debug.value('worker(1)'), 'critical');
    await assert.rejects(debug.client.stepInRequest({ threadId: 1, targetId: 9 }), /no such step/);
    const wrong = await debug.press('next', { threadId: 1 });
    assert.match(wrong.text, /mutex is false/);
    await debug.press('stepBack');
    assert.equal(await debug.value('worker(0)'), 'entering');
    // A button of the client's own, which has not said that the run goes on.
    const continued = debug.client.waitForEvent('continued');
    const stopped = debug.client.waitForEvent('stopped');
    await debug.client.customRequest('takeStep', { targetId: 1 });
    await continued;
    assert.equal((await stopped).body.text, 'after step 4; mutex is false');
    // Chance takes the same way each time.
    const runs = [];
    for (let run = 0; run < 2; run++) {
        await debug.press('restart');
        const met = [];
        for (let stop = 0; stop < 3; stop++) {
            met.push((await debug.press('continue')).text);
        }
        runs.push(met);
    }
    assert.deepEqual(runs[0], runs[1]);
});

session('what cannot be debugged is told', LOCK, async debug => {
    const { client, model } = debug;
    await client.initializeRequest();
    const launch = attributes => client.launchRequest({ program: model, ...attributes });
    await assert.rejects(launch({ program: `${model}x` }), /there is no file/);
    await assert.rejects(launch({ property: 'mutes' }), /there is no property `mutes`; did you mean `mutex`/);
    await assert.rejects(launch({ property: 'errors' }), /errors holds: there is no run that violates it/);
    await assert.rejects(launch({ parameters: { N: 3 } }), /N/);
    await assert.rejects(launch({ mode: 'replay' }), /unknown variant `replay`/);
    await assert.rejects(client.nextRequest({ threadId: 1 }), /there is no run yet/);
    await assert.rejects(client.customRequest('fly'), /`fly` is nothing that can be done/);
    writeFileSync(model, `${LOCK}invariant wrong: nowhere\nvar y: nothing\n`);
    await assert.rejects(launch({}), /m\.stb:\d+: /);
    writeFileSync(model, LOCK);
    await launch({ property: 'both' });
});

session('a search that takes long ends when the client leaves', 'param N: 2..9 = 9\n' +
    'process p(i in 0..N-1) { var x: 0..99 loop { x = (x + 1) % 100 } }\n' +
    'termination not required\ninvariant low: sum(i in 0..N-1: p(i).x) < 99 * N\n', async debug => {
    const { client, model } = debug;
    await client.initializeRequest({ adapterID: 'stubborn', supportsProgressReporting: true });
    const begins = client.waitForEvent('progressStart');
    const launched = client.launchRequest({ program: model });
    await begins;
    const refused = assert.rejects(launched, /the search was ended/);
    await debug.leave();
    await refused;
});
