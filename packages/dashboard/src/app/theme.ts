import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';

/** The one accent: links, the active page, the main action. */
const ink: MantineColorsTuple = [
  ...(['#eef1fb', '#dce1f4', '#b6c0e9', '#8f9ede', '#6e80d4'] as const),
  ...(['#5a6ecf', '#4c60c4', '#3e51ae', '#34459b', '#293888'] as const),
];

export const theme = createTheme({
  colors: { ink },
  primaryColor: 'ink',
  primaryShade: { light: 7, dark: 6 },
  defaultRadius: 'sm',
  autoContrast: true,
  components: {
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close the message' } } },
  },
  respectReducedMotion: true,
  fontFamily:
    'Inter, ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, SFMono-Regular, Menlo, Consolas, "Liberation Mono", monospace',
  fontSizes: { xs: '0.75rem', sm: '0.8125rem', md: '0.875rem', lg: '1rem', xl: '1.125rem' },
  headings: {
    fontWeight: '600',
    sizes: {
      h1: { fontSize: '1.375rem', lineHeight: '1.3' },
      h2: { fontSize: '1rem', lineHeight: '1.4' },
      h3: { fontSize: '0.875rem', lineHeight: '1.4' },
    },
  },
});

/** Secondary text has a contrast of at least 4.5 on every surface, which the defaults lack. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#5b6471',
    '--mantine-color-placeholder': '#6b7280',
    '--mantine-color-text': '#1a1d23',
    '--mantine-color-anchor': 'var(--mantine-color-ink-7)',
    '--line': '#e4e6ea',
    '--surface': '#fafbfc',
    '--positive': '#1a7a47',
    '--negative': '#b42318',
    '--mantine-color-error': 'var(--negative)',
  },
  dark: {
    '--mantine-color-dimmed': '#a3a9b4',
    '--mantine-color-placeholder': '#969ca6',
    '--mantine-color-body': '#15171b',
    '--mantine-color-text': '#e6e8eb',
    '--mantine-color-anchor': 'var(--mantine-color-ink-3)',
    '--line': '#2b2f36',
    '--surface': '#1a1d22',
    '--positive': '#5fc992',
    '--negative': '#ff8a7a',
    '--mantine-color-error': 'var(--negative)',
  },
});
