/** Finds the regular expressions of source files. */
import { parseAst } from 'vite';
import type { SourceFile } from '../import-rules.ts';

export interface FoundExpression {
  path: string;
  line: number;
  /** Null if it is built from values that this file doesn't hold. */
  pattern: string | null;
  flags: string;
}

interface AstNode {
  type?: string;
  start?: number;
  name?: unknown;
  value?: unknown;
  regex?: { pattern: string; flags: string };
  callee?: AstNode;
  arguments?: AstNode[];
  id?: AstNode;
  init?: AstNode | null;
  quasis?: { value: { cooked: string } }[];
  expressions?: AstNode[];
}

/** Returns literals, `RegExp(…)` and `new RegExp(…)` of a file. */
export function expressionsIn({ path, text }: SourceFile): FoundExpression[] {
  const nodes = nodesOf(parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }));
  const constants = new Map(
    nodes.flatMap(({ type, id, init }) =>
      type === 'VariableDeclarator' && typeof id?.name === 'string' && init ? [[id.name, init] as const] : [],
    ),
  );
  return nodes.flatMap((node) => {
    const at = { path, line: text.slice(0, node.start).split('\n').length };
    if (node.regex) return [{ ...at, ...node.regex }];
    if (node.callee?.name !== 'RegExp') return [];
    const [pattern, flags] = node.arguments ?? [];
    return [{ ...at, pattern: textOf(pattern, constants), flags: flags ? (textOf(flags, constants) ?? '') : '' }];
  });
}

function nodesOf(node: unknown): AstNode[] {
  if (typeof node !== 'object' || node === null) return [];
  if (Array.isArray(node)) return node.flatMap(nodesOf);
  return [...('type' in node ? [node as AstNode] : []), ...Object.values(node).flatMap(nodesOf)];
}

/** Returns the text of a string, of a template, or of a constant that is one; null if it depends on anything else. */
function textOf(node: AstNode | undefined, constants: ReadonlyMap<string, AstNode>): string | null {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'Identifier') {
    const constant = constants.get(String(node.name));
    return constant ? textOf(constant, constants) : null;
  }
  if (node?.type !== 'TemplateLiteral') return null;
  const values = (node.expressions ?? []).map((expression) => textOf(expression, constants));
  if (values.includes(null)) return null;
  return (node.quasis ?? []).map(({ value }, index) => value.cooked + (values[index] ?? '')).join('');
}
