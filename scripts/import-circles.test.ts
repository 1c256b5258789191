import { expect, test } from 'vitest';
import { importCircles } from './import-circles.ts';

const file = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map((each) => `import type { X } from '${each}';`).join('\n'),
});

test('files that import each other are a circle, by types alone and by way of others too', () => {
  const files = [
    file('web/a/a.ts', '../b/b.ts'),
    file('web/b/b.ts', './c.ts', '#contract/x.ts'),
    file('web/b/c.ts', '../a/a.ts'),
    file('contract/x.ts'),
  ];
  expect(importCircles(files).map((circle) => circle.toSorted())).toEqual([['web/a/a.ts', 'web/b/b.ts', 'web/b/c.ts']]);
});

test('two ways to one file are no circle', () => {
  const files = [file('a.ts', './b.ts', './c.ts'), file('b.ts', './d.ts'), file('c.ts', './d.ts'), file('d.ts')];
  expect(importCircles(files)).toEqual([]);
});
