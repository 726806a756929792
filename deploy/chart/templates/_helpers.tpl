{{- define "pesewa.name" -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end }}

{{- define "pesewa.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "pesewa.labels" -}}
{{ include "pesewa.selector" . }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end }}

{{/* The container of every pod. Parameters: root, command, resources, and drainSeconds for pods that serve requests. */}}
{{- define "pesewa.container" -}}
name: pesewa
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .command }}]
env:
  {{- range $name, $value := .root.Values.settings }}
  - name: {{ $name }}
    value: {{ $value | toString | quote }}
  {{- end }}
  {{- if hasKey . "drainSeconds" }}
  - name: DRAIN_SECONDS
    value: {{ .drainSeconds | toString | quote }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ required "existingSecret: set the name of the Secret with DATABASE_URL and SECRET_KEY" .root.Values.existingSecret }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
resources:
  {{- toYaml .resources | nindent 2 }}
volumeMounts:
  - name: tmp
    mountPath: /tmp
  {{- if .root.Values.filesSecret }}
  - name: files
    mountPath: /etc/pesewa
    readOnly: true
  {{- end }}
{{- end }}

{{/* Settings of all pods. */}}
{{- define "pesewa.pod" -}}
{{- with .Values.serviceAccountName }}
serviceAccountName: {{ . }}
{{- end }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile:
    type: RuntimeDefault
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumes:
  - name: tmp
    emptyDir: {}
  {{- if .Values.filesSecret }}
  - name: files
    secret:
      secretName: {{ .Values.filesSecret }}
      defaultMode: 0440
  {{- end }}
{{- end }}

{{/* Distributes the pods of a role over machines. Parameters: root, role. */}}
{{- define "pesewa.spread" -}}
{{- if ne .root.Values.spread "none" }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: {{ eq .root.Values.spread "required" | ternary "DoNotSchedule" "ScheduleAnyway" }}
    labelSelector:
      matchLabels:
        {{- include "pesewa.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
{{- end }}
{{- end }}
