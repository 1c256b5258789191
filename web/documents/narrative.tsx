import { createElement, memo, type ReactNode, useMemo } from 'react';
import type { NarrativeKind, NarrativeNode, NarrativePart } from '#contract/clinical-documents.ts';
import { NARRATIVE_ELEMENTS } from '#contract/document-words.ts';
import { useGrowing } from '../ui/use-growing.ts';
import classes from './documents.module.css';
import { Marked } from './marked.tsx';

const LONG: ReadonlySet<NarrativeKind> = new Set(['body', 'list', 'orderedList']);

const inside = ({ children = [] }: NarrativePart): ReactNode[] =>
  // The parts of a document never change their order.
  // oxlint-disable-next-line react/no-array-index-key
  children.map((child, at) => <Node key={at} node={child} />);

/** The rows of a long table, or the items of a long list, follow in steps. */
const Long = ({ node }: { node: NarrativePart }): ReactNode => {
  const { kind, children = [] } = node;
  const ready = useGrowing(children.length, FIRST_PARTS, MORE_PARTS);
  const shown = useMemo(() => ({ ...node, children: children.slice(0, ready) }), [node, children, ready]);
  return createElement(NARRATIVE_ELEMENTS[kind] ?? 'div', {}, ...inside(shown));
};
const FIRST_PARTS = 40;
const MORE_PARTS = 160;

const Node = memo(({ node }: { node: NarrativeNode }): ReactNode => {
  if (typeof node === 'string') return <Marked text={node} />;
  const { kind, number, colSpan, rowSpan } = node;
  if ((node.children?.length ?? 0) > FIRST_PARTS && LONG.has(kind)) return <Long node={node} />;
  if (kind === 'break') return <br />;
  if (kind === 'media') return <em>[Picture, not shown here] {inside(node)}</em>;
  if (kind === 'footnoteRef') return <sup>{number}</sup>;
  if (kind === 'footnote')
    return (
      <p>
        <sup>{number}</sup> {inside(node)}
      </p>
    );
  if (kind === 'table')
    return (
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      <div className={classes.scroll} tabIndex={0} role="region" aria-label="Table">
        <table>{inside(node)}</table>
      </div>
    );
  return createElement(NARRATIVE_ELEMENTS[kind] ?? 'span', { colSpan, rowSpan }, ...inside(node));
});

/** The narrative of a section, as its author wrote it, in elements of our own. */
export const Narrative = memo(({ parts }: { parts: readonly NarrativeNode[] }) => (
  <div className={classes.narrative}>
    {parts.map((part, at) => (
      // oxlint-disable-next-line react/no-array-index-key
      <Node key={at} node={part} />
    ))}
  </div>
));
