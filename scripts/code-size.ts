import { parseAst } from 'vite';
import type { SourceFile } from './import-rules.ts';

/** In lines. Beyond these a file or a function usually holds two things. */
export const LIMITS = { file: 300, testFile: 400, function: 80, medianFile: 80 } as const;

const IS_TEST = /\.test\.tsx?$/;

/** Returns what is longer than `LIMITS` allow, one line each. The functions of tests count by their file alone. */
export function oversized(files: readonly SourceFile[]): string[] {
  const found = files.flatMap(({ path, text }) => {
    const limit = IS_TEST.test(path) ? LIMITS.testFile : LIMITS.file;
    const lines = linesOf(text);
    const file = lines > limit ? [`${path}: has ${lines} lines, and ${limit} is the most`] : [];
    return IS_TEST.test(path) ? file : [...file, ...longFunctions(path, text)];
  });
  const code = files.filter(({ path }) => !IS_TEST.test(path)).map(({ text }) => linesOf(text));
  const median = code.sort((a, b) => a - b)[Math.floor(code.length / 2)] ?? 0;
  if (median > LIMITS.medianFile)
    found.push(`the median file has ${median} lines, and ${LIMITS.medianFile} is the most`);
  return found;
}

const linesOf = (text: string): number => text.split('\n').length - 1;

type AstNode = { type?: string; start?: number; end?: number };

function longFunctions(path: string, text: string): string[] {
  const found: string[] = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const { type, start = 0, end = 0 } = node as AstNode;
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type ?? '')) {
      const lines = linesOf(text.slice(start, end)) + 1;
      const line = linesOf(text.slice(0, start)) + 1;
      if (lines > LIMITS.function) {
        found.push(`${path}:${line}: a function has ${lines} lines, and ${LIMITS.function} is the most`);
      }
    }
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  return found;
}
