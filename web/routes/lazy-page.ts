import { lazyRouteComponent } from '@tanstack/react-router';
import { loadChunk } from '../errors/load-chunk.ts';

/** A page that is loaded on demand, with five tries. If it can't be loaded, an error is shown in its place. */
export const lazyPage = <T extends Record<string, unknown>, K extends keyof T>(
  id: string,
  load: () => Promise<T>,
  name: K,
) => lazyRouteComponent(() => loadChunk(id, load), name);
