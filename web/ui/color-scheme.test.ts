import { expect, test } from 'vitest';
import { followColorScheme, setColorScheme } from './color-scheme.ts';

test('what is printed is light, whatever the screen is', () => {
  followColorScheme(false);
  setColorScheme('dark');
  const shown = () => document.documentElement.getAttribute('data-mantine-color-scheme');
  expect(shown()).toBe('dark');
  window.dispatchEvent(new Event('beforeprint'));
  expect(shown()).toBe('light');
  window.dispatchEvent(new Event('afterprint'));
  expect(shown()).toBe('dark');
});
