/** Icons are imported one by one: the package's index would load five thousand modules in development and tests. */
declare module '@tabler/icons-react/dist/esm/icons/*.mjs' {
  const icon: import('@tabler/icons-react').Icon;
  export default icon;
}
