import { join } from 'node:path';
import {
  convertCssVariables,
  DEFAULT_THEME,
  deepMerge,
  defaultCssVariablesResolver,
  mergeMantineTheme,
} from '@mantine/core';
import type { Plugin } from 'vite';
import { resolver, theme } from './theme.ts';

type Variables = ReturnType<typeof defaultCssVariablesResolver>;

/** Returns the variables that differ from those in Mantine's own style sheet. */
const changed = (all: Variables): Variables => {
  const standard = defaultCssVariablesResolver(DEFAULT_THEME);
  const differing = (kind: keyof Variables): Record<string, string> => {
    const usual = new Map(Object.entries<string>(standard[kind]));
    return Object.fromEntries(Object.entries<string>(all[kind]).filter(([name, value]) => usual.get(name) !== value));
  };
  return { variables: differing('variables'), light: differing('light'), dark: differing('dark') };
};

/** Returns the theme as a style sheet. */
const themeStyles = (): string => {
  const merged = mergeMantineTheme(DEFAULT_THEME, theme);
  return convertCssVariables(changed(deepMerge(defaultCssVariablesResolver(merged), resolver(merged))), ':root');
};

const STYLES = 'virtual:theme.css';
const LATER = join(import.meta.dirname, 'mantine.ts');
/** These set up the theme, and must not wait for it. */
const BELOW = new Set([LATER, join(import.meta.dirname, 'ui/mantine-context.tsx')]);

const CONTEXT = 'virtual:mantine-theme-context';
const DECLARATION = 'const MantineThemeContext = createContext(null);';

/** Takes the context out of Mantine's module of the theme. */
const withoutContext = (code: string): string => {
  if (!code.includes(DECLARATION)) throw new Error('Mantine declares the context of its theme in another way.');
  return `import { MantineThemeContext } from '${CONTEXT}';\n${code.replace(DECLARATION, '')}`;
};

/** Writes the theme into a style sheet, and has whatever imports Mantine load the theme with it. */
export const mantineLater: Plugin = {
  name: 'mantine-later',
  enforce: 'pre',
  resolveId(source, importer) {
    if (source === STYLES || source === CONTEXT) return `\0${source}`;
    return source === '@mantine/core' && importer !== undefined && !BELOW.has(importer) ? LATER : undefined;
  },
  load(id) {
    if (id === `\0${CONTEXT}`)
      return "import { createContext } from 'react';\nexport const MantineThemeContext = createContext(null);";
    return id === `\0${STYLES}` ? themeStyles() : undefined;
  },
  // The first page needs the context only. Chunks are made of whole modules, so that Mantine's own theme would come with it.
  transform: (code, id) =>
    id.endsWith('/MantineThemeProvider.mjs') ? { code: withoutContext(code), map: null } : undefined,
};
