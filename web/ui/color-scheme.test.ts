import { expect, test } from 'vitest';
import { followColorScheme, setColorScheme } from './color-scheme.ts';

const shown = () => document.documentElement.getAttribute('data-mantine-color-scheme');

test('what is printed is light, whatever the screen is', () => {
  followColorScheme(() => false);
  setColorScheme('dark');
  expect(shown()).toBe('dark');
  window.dispatchEvent(new Event('beforeprint'));
  expect(shown()).toBe('light');
  window.dispatchEvent(new Event('afterprint'));
  expect(shown()).toBe('dark');
});

test('pages turn light when a redirect leads into an EHR, and dark again outside', () => {
  let isInEhr = false;
  const check = followColorScheme(() => isInEhr);
  setColorScheme('dark');
  isInEhr = true;
  check();
  expect(shown()).toBe('light');
  isInEhr = false;
  check();
  expect(shown()).toBe('dark');
});
