/**
 * Mantine's components with our theme. Imports of `@mantine/core` come here (vite-mantine.ts), so that the theme is there before the first
 * component of Mantine's, whichever page has it.
 */
import { DEFAULT_THEME, mergeMantineTheme } from '@mantine/core';
import { theme } from './theme.ts';
import { laterTheme } from './ui/mantine-context.tsx';

Object.assign(laterTheme, mergeMantineTheme(DEFAULT_THEME, theme));

export * from '@mantine/core';
