import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import * as path from 'node:path';
import { test } from 'node:test';
import * as oniguruma from 'vscode-oniguruma';
import * as textmate from 'vscode-textmate';

// The tests run from out-test/, beside which the grammar lies.
const extension = path.join(__dirname, '..');
const grammarFile = path.join(extension, 'syntaxes', 'stubborn.tmLanguage.json');

async function loadGrammar(): Promise<textmate.IGrammar> {
    const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
    await oniguruma.loadWASM(wasm);
    const registry = new textmate.Registry({
        onigLib: Promise.resolve({
            createOnigScanner: patterns => new oniguruma.OnigScanner(patterns),
            createOnigString: text => new oniguruma.OnigString(text),
        }),
        loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(grammarFile, 'utf8'), grammarFile),
    });
    const grammar = await registry.loadGrammar('source.stubborn');
    assert.ok(grammar);
    return grammar;
}
const grammar = loadGrammar();

/** The text cut into its tokens, each with its innermost scope; white space left out. */
async function tokens(text: string): Promise<[token: string, scope: string][]> {
    const result: [string, string][] = [];
    let stack = textmate.INITIAL;
    for (const line of text.split('\n')) {
        const tokenized = (await grammar).tokenizeLine(line, stack);
        stack = tokenized.ruleStack;
        for (const { startIndex, endIndex, scopes } of tokenized.tokens) {
            const token = line.slice(startIndex, endIndex).trim();
            if (token !== '') {
                result.push([token, (scopes.at(-1) ?? '').replace(/\.stubborn$/, '')]);
            }
        }
    }
    return result;
}

/** Asserts the scope of every token that is named, at its first place in the text. */
async function expectScopes(text: string, scopes: Record<string, string>): Promise<void> {
    const all = await tokens(text);
    for (const [token, scope] of Object.entries(scopes)) {
        assert.deepEqual(
            all.find(([found]) => found === token),
            [token, scope],
            JSON.stringify(all),
        );
    }
}

test('set and list are words before a type and names elsewhere', async () => {
    await expectScopes('var seen: set of Id', {
        seen: 'variable.other.declaration',
        set: 'storage.type',
        of: 'keyword.operator.wordlike',
        Id: 'entity.name.type',
    });
    await expectScopes('type Log = list[N + 1] of Id', { list: 'storage.type', of: 'keyword.operator.wordlike' });
    await expectScopes('var a: array[Id] of set of Id', { set: 'storage.type' });
    for (const text of ['var set: 0..3', 'x = list[1]', 'await set == 1']) {
        const words = (await tokens(text)).filter(([token]) => token === 'set' || token === 'list');
        assert.ok(
            words.every(([, scope]) => scope !== 'storage.type'),
            text,
        );
    }
});

test('where is a word behind parameters and a name elsewhere', async () => {
    await expectScopes('process p(i in Id, j in Id where i != j) {', {
        Id: 'entity.name.type',
        where: 'keyword.operator.wordlike',
    });
    await expectScopes('    where (i > 0)', { where: 'keyword.operator.wordlike' });
    await expectScopes('process p(where in Id) {', { where: 'variable.parameter' });
});

test('a process, its parameter and its type have scopes of their own', () =>
    expectScopes('process customer(i in Id) {', {
        process: 'storage.type',
        customer: 'entity.name.type.process',
        i: 'variable.parameter',
        in: 'keyword.operator.wordlike',
        Id: 'entity.name.type',
    }));

test('the name after `on` is an action, and the one after `->` a state', () =>
    expectScopes('state idle { on ask(i) do j = 0 -> test }', {
        state: 'storage.type.state',
        idle: 'variable.other.enummember.state',
        on: 'keyword.control',
        ask: 'entity.name.function.action',
        do: 'keyword.control',
        test: 'variable.other.enummember.state',
    }));

test('the words before `state` are modifiers, and names elsewhere', async () => {
    await expectScopes('final reject state lost', { final: 'storage.modifier', reject: 'storage.modifier' });
    await expectScopes('when final == reject', { final: 'variable.other', reject: 'variable.other' });
});

test('the own move of a tester is no action', () =>
    expectScopes('on tau -> waiting', { tau: 'constant.language.tau', waiting: 'variable.other.enummember.state' }));

test('the places after `@` are states, alone and in a set', async () => {
    await expectScopes('progress access(i in Id): may customer(i)@{critical, end}', {
        progress: 'keyword.other.property',
        access: 'entity.name.function.property',
        may: 'keyword.other.property',
        customer: 'entity.name.type.process',
        critical: 'variable.other.enummember.state',
        end: 'variable.other.enummember.state',
    });
    await expectScopes('worker(min(i, 1))@critical', {
        worker: 'entity.name.type.process',
        critical: 'variable.other.enummember.state',
    });
});

test('a label stands at the beginning of a line', async () => {
    await expectScopes('    critical: gate[i] = 0', { critical: 'variable.other.enummember.state' });
    await expectScopes('    final waiting: await free', { final: 'storage.modifier', waiting: 'variable.other.enummember.state' });
});

test('a documentation comment differs from a comment', async () => {
    assert.deepEqual(await tokens('/// says\n// notes'), [
        ['///', 'punctuation.definition.comment'],
        ['says', 'comment.line.documentation'],
        ['//', 'punctuation.definition.comment'],
        ['notes', 'comment.line.double-slash'],
    ]);
});

test('block comments nest over lines', async () => {
    const all = await tokens('/* a\n/* b */ c\n*/ var x: bool');
    assert.deepEqual(all.find(([token]) => token === 'c'), ['c', 'comment.block']);
    assert.deepEqual(all.find(([token]) => token === 'var'), ['var', 'storage.type']);
});

test('numbers have underscores, and a range is not a fraction', () =>
    expectScopes('param N: 2..1_000 = 3', {
        '2': 'constant.numeric.decimal',
        '..': 'keyword.operator.range',
        '1_000': 'constant.numeric.decimal',
        '3': 'constant.numeric.decimal',
    }));

test('a type is told from the lower end of a range', async () => {
    await expectScopes('var last: array[Place] of Id', { last: 'variable.other.declaration', of: 'keyword.operator.wordlike', Id: 'entity.name.type' });
    await expectScopes('var mode: Mode = idle', { Mode: 'entity.name.type', idle: 'variable.other' });
    await expectScopes('var x: low..high', { low: 'variable.other', high: 'variable.other' });
    await expectScopes('var j: N-1..N', { N: 'variable.other' });
    await expectScopes('forall k in low..high: true', { k: 'variable.parameter', low: 'variable.other' });
    await expectScopes('var chief: Id    // the leader', { Id: 'entity.name.type' });
    await expectScopes('var gate: array[Id] of 0..N-1', { Id: 'entity.name.type', N: 'variable.other' });
    await expectScopes('action pass(Id, bool, Colour)', { Id: 'entity.name.type', bool: 'support.type', Colour: 'entity.name.type' });
    await expectScopes('action pass(0..N)', { N: 'variable.other' });
    await expectScopes('if c in {red} then 1 else 2', { c: 'variable.other', red: 'variable.other' });
});

test('a channel says what it carries', () =>
    expectScopes('channel wire[Place]: queue[2] of Id, bool', {
        wire: 'variable.other.declaration',
        Place: 'variable.other',
        queue: 'storage.type',
        Id: 'entity.name.type',
        bool: 'support.type',
    }));

test('the values of an enumeration and the fields of a record are no labels', async () => {
    await expectScopes('enum Colour {\n    red,\n    green\n}', { Colour: 'entity.name.type.enum', red: 'variable.other.enummember' });
    await expectScopes('type Node = record {\n    next: Id,\n    weight: 0..3\n}', {
        next: 'variable.other.property',
        Id: 'entity.name.type',
        weight: 'variable.other.property',
    });
});

test('temporal operators are words of a formula alone', async () => {
    const all = await tokens('ltl live: always (p U q) -> <> q\nvar always: bool\nvar U: bool');
    assert.deepEqual(
        all.filter(([token]) => ['always', 'U', '<>'].includes(token)),
        [
            ['always', 'keyword.operator.wordlike.temporal'],
            ['U', 'keyword.operator.temporal'],
            ['<>', 'keyword.operator.temporal'],
            ['always', 'variable.other.declaration'],
            ['U', 'variable.other.declaration'],
        ],
    );
});

test('what is to be reached is a property where it stands as one', () =>
    expectScopes('reachable full(k in 0..1): x == k', {
        reachable: 'keyword.other.property',
        full: 'entity.name.function.property',
    }));

test('what is fair is a process, or has a name', async () => {
    await expectScopes('fair process customer(i in Id) {', {
        fair: 'storage.modifier',
        process: 'storage.type',
        customer: 'entity.name.type.process',
    });
    await expectScopes('fair served(i in Id): enter(i)', {
        fair: 'keyword.other.property',
        served: 'entity.name.function.property',
    });
    await expectScopes('strongly fair lucky: {enter(0), customer(1)@critical}', {
        strongly: 'keyword.other.property',
        fair: 'keyword.other.property',
        lucky: 'entity.name.function.property',
        customer: 'entity.name.type.process',
    });
    const all = await tokens('ltl live: always p\nstrongly fair served: always');
    assert.deepEqual(
        all.filter(([token]) => ['always', 'strongly'].includes(token)).map(([, scope]) => scope),
        ['keyword.operator.wordlike.temporal', 'keyword.other.property', 'variable.other'],
    );
});

test('what is expected to fail is set by two words', () =>
    expectScopes('expect violated: full, deadlock', {
        expect: 'keyword.other.property',
        violated: 'keyword.other.property',
    }));

test('a recurrence names actions and places of processes', () =>
    expectScopes('recurrence r: infinitely ask(1) implies infinitely customer(1)@critical', {
        infinitely: 'keyword.other.property',
        ask: 'entity.name.function.action',
        implies: 'keyword.operator.wordlike',
        customer: 'entity.name.type.process',
    }));

test('a refinement says in which semantics', () =>
    expectScopes('refines buffer in infinite traces', {
        refines: 'keyword.other.property',
        buffer: 'entity.name.type.process',
        'infinite traces': 'constant.language.refinement',
    }));

test('`with` is a word where fields follow, and else a name', async () => {
    await expectScopes('x = r with {f: 1}', { with: 'keyword.control.expression' });
    await expectScopes('x = with + 1', { with: 'variable.other' });
});

test('`or` is an operator, and a keyword between branches', async () => {
    await expectScopes('p or q', { or: 'keyword.operator.wordlike' });
    await expectScopes('} or { stop }', { or: 'keyword.control', stop: 'keyword.control' });
});

test('every reserved word of the language is told from a name', async () => {
    const reserved =
        'action alphabet and any array assert await bool break buchi change channel const def do either else enum exists ' +
        'false for forall if implies in invariant loop ltl macro may must not observe on or param process progress receive ' +
        'record recurrence refines send skip specification state stop tester testing then true type use var visible when while';
    for (const word of reserved.split(' ')) {
        const [[, scope] = ['', '']] = await tokens(word);
        assert.match(scope, /^(keyword|storage|constant|support)\./, word);
    }
});
