// Colours for models: a definition of the language for highlight.js, which mdBook brings along.
(function () {
    'use strict';
    const keywords = 'action alphabet any array assert await break buchi change channel const continue def do either else enum '
        + 'fair final for goto if in initial invariant loop ltl macro may must observe on or param process progress reachable '
        + 'receive record recurrence refines reject send skip specification state stop strongly tester testing then type '
        + 'use var visible when where while with deadlock livelock infinite infinitely termination expect queue bag set list of';
    const operators = 'and not implies forall exists always eventually until weak_until release';
    hljs.registerLanguage('stubborn', function (hljs) {
        return {
            keywords: {
                keyword: keywords + ' ' + operators,
                literal: 'true false',
                built_in: 'bool count sum min max len empty full bit_and bit_or bit_xor bit_not shift_left shift_right',
            },
            contains: [
                hljs.C_LINE_COMMENT_MODE,
                hljs.COMMENT('/\\*', '\\*/', { contains: ['self'] }),
                { className: 'string', begin: '"', end: '"' },
                { className: 'number', begin: '\\b[0-9][0-9_]*\\b' },
                { className: 'symbol', begin: '^\\s*[A-Za-z_]\\w*:(?=\\s)(?!\\s*(array|bool|record))' },
                { className: 'title', begin: '@\\s*\\w+' },
            ],
        };
    });
    // The book's own script has been over the page by now, and knew no such language.
    document.querySelectorAll('code.language-stubborn').forEach(function (block) {
        block.textContent = String(block.textContent);
        hljs.highlightBlock(block);
    });
})();
