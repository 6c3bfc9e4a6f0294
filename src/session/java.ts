import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The variable that every Java virtual machine reads its options from, however it was started. */
const VARIABLE = "JAVA_TOOL_OPTIONS";
/** The property that names what an application of AWT or Swing tells its tree with. Whoever sets it has decided. */
const PROPERTY = "javax.accessibility.assistive_technologies";
/** Where Debian's libatk-wrapper-java and libatk-wrapper-java-jni put what they consist of. */
const JAR = "/usr/share/java/java-atk-wrapper.jar";
const LIBRARY = "jni/libatk-wrapper.so";
const LIBRARIES = "/usr/lib";

/** The bridge from Swing to AT-SPI on this machine. */
export interface JavaBridge {
  readonly jar: string;
  /** The folder of its library. */
  readonly libraries: string;
}

/** The bridge, where it is installed. */
export function javaBridge(jar = JAR, libraries = LIBRARIES): JavaBridge | undefined {
  if (!existsSync(jar)) return undefined;
  const folders = readdirSync(libraries, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const found = ["", ...folders.map(({ name }) => name).sort()].map((name) => join(libraries, name, LIBRARY))
    .find((file) => existsSync(file));
  return found === undefined ? undefined : { jar, libraries: join(found, "..") };
}

/**
 * An environment in which applications of Java are in the accessibility tree. What `JAVA_TOOL_OPTIONS` holds already
 * stays, and comes last, so that it prevails; where it names assistive technologies itself (`-D…assistive_technologies=`
 * for none), nothing is added.
 */
export function withJavaBridge(
  environment: Readonly<Record<string, string>>,
  bridge: JavaBridge | undefined,
): Readonly<Record<string, string>> {
  const own = environment[VARIABLE] ?? "";
  if (bridge === undefined || own.includes(PROPERTY)) return environment;
  const options = [
    // The class path of `java -jar` is its own: the bridge comes with the machine's own classes, and finds its library there.
    `-Xbootclasspath/a:${bridge.jar}`,
    `-Dsun.boot.library.path=${bridge.libraries}`,
    `-D${PROPERTY}=org.GNOME.Accessibility.AtkWrapper`,
    ...(own === "" ? [] : [own]),
  ];
  return { ...environment, [VARIABLE]: options.join(" ") };
}
