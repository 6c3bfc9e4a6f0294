/** The first workflow of a project, after the line for editors and the one that says how to run it. */
export const WORKFLOW = `name: My first workflow
app: sim.settings              # a real one: its program or desktop id, such as gedit; then session: isolated
session: simulated             # isolated: a private desktop · attach: your own
before:
  - launch: sim.settings
steps:
  - transaction:               # what fails in it is rolled back, and read back
      name: fill the form
      steps:
        - set: { target: 'textfield[name="Name"]', value: Ada }
        - click: 'checkbox[name="Notify me"]'
        - assert: { target: 'textfield[name="Name"]', value: Ada }
after:
  - quit: sim.settings
`;

/** What runs leave in a project, and packages. */
export const IGNORED = ["node_modules/", ".backstep/", "test-results/"];

/** What private desktops need on Debian and Ubuntu. */
const PACKAGES =
  "xvfb dbus at-spi2-core openbox gsettings-desktop-schemas fonts-dejavu-core libglib2.0-bin xauth " +
  "libxcb-xtest0 libxcb-shm0 libxcb-damage0 libxcb-xfixes0 libxcb-composite0";

const TEST = "npx --no-install backstep test workflows --reporter list,junit --output test-results";

/** For GitHub Actions. */
export const GITHUB = `name: Desktop workflows
on: [push, pull_request]
jobs:
  workflows:
    runs-on: ubuntu-24.04
    timeout-minutes: 20
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with: { node-version: 22 }
      # What private desktops need; add the applications that your workflows drive.
      - run: sudo apt-get update && sudo apt-get install -y --no-install-recommends ${PACKAGES}
      - run: npm ci
      - run: npx --no-install backstep check
      - run: ${TEST}
      - uses: actions/upload-artifact@v4
        if: always()
        with: { name: test-results, path: test-results }
`;

/** For GitLab CI. */
export const GITLAB = `workflows:
  image: node:22-bookworm
  timeout: 20 minutes
  script:
    # What private desktops need; add the applications that your workflows drive.
    - apt-get update && apt-get install -y --no-install-recommends ${PACKAGES}
    - npm ci
    - npx --no-install backstep check
    - ${TEST}
  artifacts:
    when: always
    paths: [test-results]
    reports: { junit: test-results/junit.xml }
`;
