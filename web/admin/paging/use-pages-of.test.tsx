import { act, cleanup, renderHook } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { usePagesOf } from './use-pages-of.ts';

afterEach(cleanup);

test('a list is searched and paged, and a shorter one has no empty page', () => {
  const names = Array.from({ length: 45 }, (_, at) => `Feed ${at}`);
  const { result, rerender } = renderHook(({ all }) => usePagesOf(all, (name) => name), {
    initialProps: { all: names },
  });
  act(() => result.current.paging.go(3));
  expect(result.current.shown).toEqual(names.slice(40));
  rerender({ all: names.slice(0, 5) });
  expect(result.current.shown).toEqual(names.slice(0, 5));
  rerender({ all: names });
  act(() => result.current.paging.type('feed 4'));
  expect(result.current).toMatchObject({ total: 6, shown: ['Feed 4', ...names.slice(40)] });
  act(() => result.current.paging.resize(50));
  act(() => result.current.paging.clear());
  expect(result.current.shown).toHaveLength(45);
});
