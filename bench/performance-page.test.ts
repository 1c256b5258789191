import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { asDocument, type Figure, meetsBar, type Run } from './performance-page.ts';

const docs = (name: string): string => readFileSync(join(import.meta.dirname, '../docs', name), 'utf8');

const figure = (more: Partial<Figure>): Figure => ({ part: 'intake', what: 'x', value: 90, unit: 'ms', ...more });

test('a bar is held to the ratio to the peer, or to the value without one', () => {
  const peer = { what: 'relay', value: 100 };
  expect([
    meetsBar(figure({ peer, bar: { least: 0.9 } })),
    meetsBar(figure({ peer, bar: { most: 0.8 } })),
    meetsBar(figure({ bar: { most: 90 } })),
    meetsBar(figure({ bar: { least: 91 } })),
    meetsBar(figure({})),
  ]).toEqual([true, false, true, false, true]);
});

test('what misses its bar stands before everything else, and runs in their order', () => {
  const run = (date: string, figures: Figure[]): Run => ({ date, machine: null, load: 0, figures });
  const page = asDocument([
    run('2026-11-02', [figure({ part: 'latency', what: 'p50', value: 12 })]),
    run('2026-11-01', [figure({ what: 'slow one', value: 2000, bar: { most: 1000 } })]),
  ]);
  const at = ['Misses its bar', 'slow one', '2026-11-02', '2026-11-01'].map((text) => page.indexOf(text));
  expect(at).toEqual(at.toSorted((a, b) => a - b));
  expect(page).toContain('**2,000 ms**');
});

test('the page is made of the figures', () => {
  expect(docs('performance.md')).toBe(asDocument(JSON.parse(docs('performance.json')) as Run[]));
});
