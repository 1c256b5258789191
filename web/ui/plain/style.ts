import type { CSSProperties } from 'react';

/** A step of the theme's spacing, or px. */
export type Space = 'xs' | 'sm' | 'md' | 'lg' | 'xl' | number;
export type Color = 'marine' | 'critical' | 'caution' | 'positive' | 'held' | 'gray' | 'slate';

/** What a style holds: CSS properties and variables; undefined ones are left out. */
export type Style = Record<string, string | number | undefined>;

/** Returns a length in rem, which follows the browser's text size. */
export const rem = (px: number): string => `calc(${px / 16}rem * var(--mantine-scale))`;

export const space = (step: Space | undefined): string | undefined =>
  typeof step === 'number' ? rem(step) : step && `var(--mantine-spacing-${step})`;

/** React takes variables in a style, its types don't. */
export const styled = (style: Style): CSSProperties => style;

/** Returns the class names of an element. */
export const joined = (...names: (string | false | undefined)[]): string => names.filter(Boolean).join(' ');
