"""Prints the methods that androguard's call graph of an APK reaches from the classes of the manifest, and how many edges it has."""
import sys

try:
    from loguru import logger

    logger.remove()
except ImportError:
    pass
from androguard.misc import AnalyzeAPK

apk, _, analysis = AnalyzeAPK(sys.argv[1])
graph = analysis.get_call_graph()
application = apk.get_attribute_value("application", "name")
named = [*apk.get_activities(), *apk.get_services(), *apk.get_receivers(), *apk.get_providers(), *([application] if application else [])]
classes = {"L" + apk._format_value(name).replace(".", "/") + ";" for name in named}


def text(method):
    return f"{method.get_class_name()}->{method.get_name()}{method.get_descriptor().replace(' ', '')}"


work = [it for it in graph.nodes if it.get_class_name() in classes]
reached = set(work)
while work:
    for callee in graph.successors(work.pop()):
        if callee not in reached:
            reached.add(callee)
            work.append(callee)
for method in reached:
    print("method", text(method))
print("edges", graph.number_of_edges())
