import { readSource, resolveImport, type SourceFile } from './import-rules.ts';

/** Returns the circles of imports among these files, those of types included: each as the files that reach one another. */
export function importCircles(files: readonly SourceFile[]): string[][] {
  const known = new Set(files.map(({ path }) => path));
  const importsOf = new Map(
    files.map(({ path, text }) => {
      const targets = readSource(path, text).imports.map((specifier) => resolveImport(path, specifier));
      return [path, targets.filter((target) => target !== undefined && known.has(target)) as string[]] as const;
    }),
  );
  return components(importsOf).filter((component) => component.length > 1);
}

/** The strongly connected components of a graph (Tarjan, 1972). */
function components(edges: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (node: string): void => {
    order.set(node, order.size);
    lowest.set(node, order.size - 1);
    stack.push(node);
    for (const next of edges.get(node) ?? []) {
      if (!order.has(next)) visit(next);
      else if (!stack.includes(next)) continue;
      lowest.set(node, Math.min(lowest.get(node) ?? 0, lowest.get(next) ?? 0));
    }
    if (lowest.get(node) === order.get(node)) found.push(stack.splice(stack.indexOf(node)));
  };
  for (const node of edges.keys()) if (!order.has(node)) visit(node);
  return found;
}
