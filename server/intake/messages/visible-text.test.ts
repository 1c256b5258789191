import { expect, test } from 'vitest';
import { visibleText } from './visible-text.ts';

test('each segment becomes a line, whatever its line end', () => {
  expect(visibleText('MSH|1\rEVN|2\r\nPID|3\nPV1|4')).toBe('MSH|1\nEVN|2\nPID|3\nPV1|4');
});

test('controls become visible', () => {
  expect(visibleText('a\u001bb\tc\u007fd')).toBe('a␛b␉c␡d');
});

test('marks that reorder the text are written as escapes', () => {
  expect(visibleText('a\u202eb\u0085\u200b')).toBe('a\\u202eb\\u0085\\u200b');
});

test('letters of all scripts are kept', () => {
  expect(visibleText('Gonzáles 山田 Ωmega 👩‍⚕️'.replaceAll('\u200d', ''))).toBe('Gonzáles 山田 Ωmega 👩⚕️');
});
