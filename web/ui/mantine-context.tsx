import { MantineContext, type MantineTheme, MantineThemeContext } from '@mantine/core';
import type { ReactNode } from 'react';
import { styleNonce } from './content-policy.ts';

/** Empty until Mantine's code is loaded, which fills it (mantine.ts) before any of its components renders. */
export const laterTheme = {} as MantineTheme;

const context = {
  // Only the color scheme's own menu shows it, and doesn't ask Mantine (color-scheme.ts).
  colorScheme: 'auto' as const,
  setColorScheme: () => {},
  clearColorScheme: () => {},
  getRootElement: () => document.documentElement,
  classNamesPrefix: 'mantine',
  getStyleNonce: () => styleNonce,
  cssVariablesSelector: ':root',
  withStaticClasses: true,
};

/**
 * What Mantine's components need around them, without their code: the first page has none of them (docs/decisions/0070). Their variables are
 * in the style sheet of the build.
 */
export const MantineLater = ({ children }: { children: ReactNode }) => (
  <MantineContext value={context}>
    <MantineThemeContext value={laterTheme}>{children}</MantineThemeContext>
  </MantineContext>
);
