import { join } from 'node:path';
import type { Plugin } from 'vite';

const ICON = /@tabler\/icons-react\/dist\/esm\/icons\/Icon\w+\.mjs$/;
const OWN = join(import.meta.dirname, 'ui/plain/icon.tsx');
/** What such a file has: its paths, and then whether they are lines or areas. */
const PATHS = 'const __iconNode = ';
const KIND = /createReactComponent\("(outline|filled)"/;

type Node = [tag: string, attributes: { d: string; key: string }];

/** Returns an icon's file as one path, since two files of the same shape are mostly shape. */
export const asOnePath = (code: string, id: string): string => {
  const line = code.split('\n').find((each) => each.startsWith(PATHS)) ?? '';
  const nodes = JSON.parse(line.slice(PATHS.length, -1) || '[]') as Node[];
  const kind = KIND.exec(code)?.[1];
  // Areas would cut holes into each other.
  const isPlain = nodes.length === 1 || (kind === 'outline' && nodes.length > 1);
  if (
    !isPlain ||
    !nodes.every(([tag, { d, ...rest }]) => tag === 'path' && d[0] === 'M' && Object.keys(rest).join() === 'key')
  )
    throw new Error(`${id} is not made of paths.`);
  return `import { ${kind} } from ${JSON.stringify(OWN)};\nexport default ${kind}(${JSON.stringify(nodes.map(([, { d }]) => d).join(''))});\n`;
};

/** Draws Tabler's icons with a component of ours. */
export const plainIcons: Plugin = {
  name: 'plain-icons',
  transform: (code, id) => (ICON.test(id) ? { code: asOnePath(code, id), map: null } : undefined),
};
