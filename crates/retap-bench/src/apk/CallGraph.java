import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import soot.AbstractJasminClass;
import soot.MethodOrMethodContext;
import soot.Scene;
import soot.SootMethod;
import soot.jimple.infoflow.InfoflowConfiguration.CodeEliminationMode;
import soot.jimple.infoflow.android.InfoflowAndroidConfiguration;
import soot.jimple.infoflow.android.SetupApplication;

/** Prints the methods that FlowDroid's call graph of an APK reaches, and how many edges it has. */
public class CallGraph {
    public static void main(String[] arguments) {
        InfoflowAndroidConfiguration configuration = new InfoflowAndroidConfiguration();
        configuration.getAnalysisFileConfig().setTargetAPKFile(arguments[0]);
        configuration.getAnalysisFileConfig().setAndroidPlatformDir(arguments[1]);
        configuration.setMergeDexFiles(true);
        // Otherwise it drops methods that it thinks useless for finding leaks, and computes for longer.
        configuration.setCodeEliminationMode(CodeEliminationMode.NoCodeElimination);
        new SetupApplication(configuration).constructCallgraph();
        Set<SootMethod> reached = new HashSet<>();
        Iterator<MethodOrMethodContext> methods = Scene.v().getReachableMethods().listener();
        while (methods.hasNext()) {
            reached.add(methods.next().method());
        }
        for (SootMethod method : reached) {
            String descriptor = AbstractJasminClass.jasminDescriptorOf(method.makeRef());
            String owner = method.getDeclaringClass().getName().replace('.', '/');
            System.out.println("method L" + owner + ";->" + method.getName() + descriptor);
        }
        System.out.println("edges " + Scene.v().getCallGraph().size());
        System.exit(0);
    }
}
