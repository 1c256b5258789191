import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import * as icons from './ui/icons.ts';
import { filled, outline } from './ui/plain/icon.tsx';
import { asOnePath } from './vite-icons.ts';

const FOLDER = join(import.meta.dirname, '../node_modules/@tabler/icons-react/dist/esm/icons');
afterEach(cleanup);

/** Returns what an icon draws: its attributes except its class, and its paths. */
const drawn = (Icon: typeof icons.IconBed | ReturnType<typeof outline>): [attributes: string[], paths: string] => {
  const { container } = render(<Icon size={18} stroke={1.75} aria-hidden />);
  const svg = container.querySelector('svg') as SVGSVGElement;
  const attributes = [...svg.attributes].filter(({ name }) => name !== 'class');
  const paths = [...svg.querySelectorAll('path')].map((path) => path.getAttribute('d'));
  cleanup();
  return [attributes.map(({ name, value }) => `${name}=${value}`).toSorted(), paths.join('')];
};

test.each(Object.entries(icons))('%s is drawn by one path as by its own', (name, Icon) => {
  const code = asOnePath(readFileSync(join(FOLDER, `${name}.mjs`), 'utf8'), name);
  const path = /default (?:outline|filled)\((.*)\);/.exec(code)?.[1] ?? '';
  const own = (code.includes('filled(') ? filled : outline)(JSON.parse(path) as string);
  const [attributes, paths] = drawn(Icon);
  expect(drawn(own)).toEqual([attributes.filter((each) => each !== 'stroke=none'), paths]);
});

test('a file that is not made of paths fails the build', () => {
  const code = 'const __iconNode = [["circle", { "d": "M1 1", "key": "svg-0" }]];\ncreateReactComponent("outline"';
  expect(() => asOnePath(code, 'IconRing')).toThrow('IconRing is not made of paths.');
});

test('no two style sheets have the same name, of which the names of their classes are made', () => {
  const names = Object.keys(import.meta.glob('./**/*.module.css')).map((path) => path.split('/').at(-1));
  expect(names.length).toBeGreaterThan(50);
  expect(new Set(names).size).toBe(names.length);
});
